//! Where a negative control strikes: `group`, or `group@verb`. It names; it plants nothing.

use pipe_inputs::{GROUPS, Group, VERB_CLASSES, VerbClass};

/// A group, at verbs of one class or at every verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub group: Group,
    pub class: Option<VerbClass>,
}

impl Target {
    /// Reads `group@verb`. The group may be named by one of its fields, the verb by its call. `None` for an empty text, and for
    /// a name that nothing has, which is said.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let (name, verb) = text
            .split_once('@')
            .map_or((text, None), |(name, verb)| (name, Some(verb)));
        let group = GROUPS
            .iter()
            .find(|row| row.name == name || row.fields.iter().any(|(field, _)| *field == name));
        let class = match verb {
            None => Some(None),
            Some(verb) => VERB_CLASSES
                .into_iter()
                .find(|class| class.name() == verb || calls(*class).contains(&verb))
                .map(Some),
        };
        let (Some(group), Some(class)) = (group, class) else {
            tracing::error!("negative control `{text}` names no group or no verb");
            return None;
        };
        Some(Self {
            group: group.group,
            class,
        })
    }

    /// Whether it strikes at verbs of this class.
    pub fn is_for(&self, class: VerbClass) -> bool {
        self.class.is_none_or(|own| own == class) && class.required().contains(self.group)
    }
}

/// Calls of a class, as messages name them.
fn calls(class: VerbClass) -> &'static [&'static str] {
    match class {
        VerbClass::Draw => &["draw_vbo"],
        VerbClass::Dispatch => &["launch_grid"],
        VerbClass::Clear => &["clear"],
        VerbClass::Blit => &["blit"],
        VerbClass::TextureOp => &["generate_mipmap"],
        VerbClass::Readback => &["read_pixels", "get_texture_image"],
        VerbClass::StreamOutput => &["begin_stream_output", "end_stream_output"],
        VerbClass::Query => &["query_begin", "query_end"],
        VerbClass::Flush => &["flush", "present", "memory_barrier"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_names_a_group_by_itself_or_by_a_field_and_a_verb_by_class_or_call() {
        let state = Target::parse("state@draw_vbo").expect("a field of render_state");
        assert_eq!(state.group, Group::render_state);
        assert!(state.is_for(VerbClass::Draw) && !state.is_for(VerbClass::Clear));
        let pack = Target::parse("pixel_pack").expect("a group");
        assert!(pack.is_for(VerbClass::Readback) && !pack.is_for(VerbClass::Draw));
        assert_eq!(Target::parse("nothing@draw"), None);
        assert_eq!(Target::parse(""), None);
    }
}
