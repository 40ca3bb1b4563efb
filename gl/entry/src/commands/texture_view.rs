//! Texture views: a fresh object that shows another one's storage. It is told when a verb reaches it, after its owner.

use crate::cx::Cx;
use crate::validate::texture_view::NewView;
use gl_state::GlError;

pub fn texture_view(cx: &mut Cx<'_>, new: NewView) -> Result<(), GlError> {
    let id = cx.objects.create_texture(new.name, new.target, cx.emission);
    cx.share.textures.assign(new.name, id);
    cx.objects.show(id, new.origin, new.shown, cx.emission);
    Ok(())
}
