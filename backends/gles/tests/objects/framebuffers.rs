//! Framebuffers through the executor onto the driver. It repeats no check of the client.

use crate::cover;
use crate::rig::*;
use pipe::pixels::{PixelFormat, PixelType};
use pipe::*;

#[test]
fn render_to_texture_then_to_default_framebuffer_keeps_them_apart() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    rig.texture_framebuffer(texture, Format::Rgba8, 16, 0);
    rig.clear([0.0, 1.0, 0.0, 1.0]);
    assert_eq!(rig.pixel(0, 0), [0, 255, 0, 255]);
    let fb = rig.default_framebuffer();
    rig.gl.set_framebuffer_state(&fb);
    assert_eq!(rig.pixel(0, 0), [255, 0, 0, 255]);
    // A new texture under the same driver name is not the old one's framebuffer.
    rig.gl.resource_destroy(&ResourceOnly {
        resource: texture.into(),
    });
    let other = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    rig.texture_framebuffer(other, Format::Rgba8, 16, 0);
    rig.clear([0.0, 0.0, 1.0, 1.0]);
    assert_eq!(rig.pixel(0, 0), [0, 0, 255, 255]);
}

#[test]
fn draw_buffers_in_another_order_reach_their_attachments() {
    let mut rig = Rig::new();
    let a = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let b = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let surface = |texture: TextureId| Surface {
        resource: texture.into(),
        kind: SurfaceKind::Texture,
        format: Format::Rgba8,
        ..Surface::NONE
    };
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    fb.color[0] = surface(a);
    fb.color[1] = surface(b);
    // Output 0 goes to attachment 1, output 1 to attachment 0.
    fb.draw_buffers[0] = 1;
    fb.draw_buffers[1] = 0;
    (fb.width, fb.height, fb.complete) = (16, 16, 1);
    fb.read.color = surface(a);
    (fb.read.width, fb.read.height, fb.read.complete) = (16, 16, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    cover(
        &mut rig,
        "#version 330 core
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() { first = vec4(1.0, 0.0, 0.0, 1.0); second = vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    assert_eq!(rig.pixel(5, 5), [0, 255, 0, 255]);
}

#[test]
fn multisampled_renderbuffer_resolves_by_blit_also_when_mirrored() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let id = RenderbufferId::new(3, 1);
    let desc = ResourceDesc {
        resource: id.into(),
        samples: 4,
        ..texture_desc(Target::Renderbuffer, Format::Rgba8, 16, 16)
    };
    rig.gl.resource_create(&desc);
    rig.gl.resource_respecify(&desc);
    let default = rig.default_framebuffer();
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    fb.color[0] = Surface {
        resource: id.into(),
        kind: SurfaceKind::Renderbuffer,
        format: Format::Rgba8,
        ..Surface::NONE
    };
    fb.draw_buffers[0] = 0;
    (fb.width, fb.height, fb.samples, fb.complete) = (16, 16, 4, 1);
    fb.read.color = fb.color[0];
    (
        fb.read.width,
        fb.read.height,
        fb.read.samples,
        fb.read.complete,
    ) = (16, 16, 4, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    // Left half red, right half green.
    cover(
        &mut rig,
        "#version 330 core
out vec4 result;
void main() { result = gl_FragCoord.x < 8.0 ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    let mut both = default;
    both.read = fb.read;
    rig.gl.set_framebuffer_state(&both.hashed());
    let mut blit = Blit {
        groups: ALL,
        src: [0, 0, 16, 16],
        dst: [0, 0, 16, 16],
        mask: ClearMask::COLOR.bits(),
        linear: 0,
    };
    for (mirrored, left) in [(false, [255, 0, 0, 255]), (true, [0, 255, 0, 255])] {
        if mirrored {
            blit.dst = [16, 0, 0, 16];
        }
        rig.gl.set_framebuffer_state(&both.hashed());
        let _ = rig.gl.blit(&blit);
        rig.check();
        rig.gl.set_framebuffer_state(&default);
        assert_eq!(rig.pixel(1, 1), left, "mirrored {mirrored}");
    }
}

#[test]
fn read_pixels_into_a_pack_buffer_lands_at_its_offset() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let buffer = rig.buffer(&[7; 64]);
    for format in [PixelFormat::Rgba, PixelFormat::Bgra] {
        let _ = rig.gl.read_pixels(
            &ReadPixels {
                groups: ALL,
                x: 0,
                y: 0,
                width: 1,
                height: 1,
                format,
                ty: PixelType::UnsignedByte,
                pack_buffer: buffer,
                pack_offset_bytes: 8,
            },
            ReplyBytes(None),
        );
        rig.check();
        let bytes = rig.buffer_bytes(buffer, 16);
        let red = if format == PixelFormat::Rgba {
            [255, 0, 0, 255]
        } else {
            [0, 0, 255, 255]
        };
        assert_eq!(bytes[8..12], red);
        assert_eq!((bytes[7], bytes[12]), (7, 7));
    }
}

// GL 4.6 §17.3.6.3: destination alpha of a target without alpha is 1.
#[test]
fn destination_alpha_of_a_widened_target_stays_one() {
    let mut rig = Rig::new();
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgb16f, 16, 16));
    rig.texture_framebuffer(texture, Format::Rgb16f, 16, 0);
    rig.clear([0.0; 4]);
    let white = "#version 330 core
out vec4 result;
void main() { result = vec4(0.5, 0.5, 0.5, 0.0); }
";
    cover(&mut rig, white);
    // result = source * destination alpha.
    rig.state.blend.enabled = 0xFF;
    for target in &mut rig.state.blend.targets {
        target.src_rgb = 0x0304;
        target.dst_rgb = 0;
    }
    rig.tell_state();
    cover(&mut rig, white);
    let [r, _, _, a] = rig.pixel(4, 4);
    assert_eq!((r, a), (128, 255));
}

#[test]
fn frag_color_reaches_every_draw_buffer() {
    let mut rig = Rig::new();
    let a = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let b = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    for (i, texture) in [a, b].into_iter().enumerate() {
        fb.color[i] = Surface {
            resource: texture.into(),
            kind: SurfaceKind::Texture,
            format: Format::Rgba8,
            ..Surface::NONE
        };
        fb.draw_buffers[i] = i as i8;
    }
    (fb.width, fb.height, fb.complete) = (16, 16, 1);
    fb.read.color = fb.color[1];
    (fb.read.width, fb.read.height, fb.read.complete) = (16, 16, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    cover(
        &mut rig,
        "#version 120
void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    assert_eq!(rig.pixel(3, 3), [0, 255, 0, 255]);
}
