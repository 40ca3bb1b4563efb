//! KHR_debug: the message log, the callback's address, filters, groups (GL 4.6 chapter 20). Calling back is gl-entry's.

use std::collections::VecDeque;

/// A message as GL keeps it: source, type and severity are GL's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub source: u32,
    pub ty: u32,
    pub id: u32,
    pub severity: u32,
    pub text: String,
}

/// Messages kept when no callback is set (GL_MAX_DEBUG_LOGGED_MESSAGES).
pub const MAX_LOGGED: usize = 256;
/// Longest message with its terminator (GL_MAX_DEBUG_MESSAGE_LENGTH).
pub const MAX_MESSAGE: usize = 4096;
/// Longest label with its terminator (GL_MAX_LABEL_LENGTH).
pub const MAX_LABEL: usize = 256;
/// Depth of the group stack, the default group included (GL_MAX_DEBUG_GROUP_STACK_DEPTH).
pub const MAX_GROUPS: usize = 64;

/// One glDebugMessageControl. Zero stands for GL_DONT_CARE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub source: u32,
    pub ty: u32,
    pub severity: u32,
    pub ids: Vec<u32>,
    pub enabled: bool,
}

/// Debug state of a context.
#[derive(Debug)]
pub struct DebugState {
    /// GL_DEBUG_OUTPUT.
    pub output: bool,
    /// GL_DEBUG_OUTPUT_SYNCHRONOUS.
    pub synchronous: bool,
    /// Address of the callback and its user pointer; 0: none.
    pub callback: usize,
    pub user: usize,
    pub log: VecDeque<Message>,
    /// The filters of each open group, the default group first; later filters win.
    pub groups: Vec<(Option<Message>, Vec<Filter>)>,
}

impl DebugState {
    /// Output is on from the start in debug contexts only.
    pub fn new(debug_context: bool) -> Self {
        Self {
            output: debug_context,
            synchronous: false,
            callback: 0,
            user: 0,
            log: VecDeque::new(),
            groups: vec![(None, Vec::new())],
        }
    }

    /// Whether a message passes: output on, and no filter of the current group says no. Low severity is off at first.
    pub fn accepts(&self, source: u32, ty: u32, id: u32, severity: u32) -> bool {
        if !self.output {
            return false;
        }
        let matches = |f: &Filter| {
            (f.source == 0 || f.source == source)
                && (f.ty == 0 || f.ty == ty)
                && (f.severity == 0 || f.severity == severity)
                && (f.ids.is_empty() || f.ids.contains(&id))
        };
        let mut filters = self.groups.iter().flat_map(|(_, filters)| filters);
        // GL 4.6 §20.4: messages of severity DEBUG_SEVERITY_LOW (0x9148) start disabled.
        filters
            .rfind(|f| matches(f))
            .map_or(severity != 0x9148, |f| f.enabled)
    }
}
