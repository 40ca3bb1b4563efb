//! Query objects of a context: which count, and what they counted. Results are the executing side's; none is made up here.

use crate::context::{Context, Objects};
use crate::names::Names;
use pipe::QueryId;

/// What queries count. One of each kind counts at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum QueryTarget {
    SamplesPassed = 0,
    AnySamplesPassed,
    AnySamplesPassedConservative,
    TimeElapsed,
    PrimitivesGenerated,
    PrimitivesWritten,
    /// glQueryCounter: never active.
    Timestamp,
}

/// Kinds that can be active.
pub const ACTIVE_TARGETS: usize = 6;

impl QueryTarget {
    /// GL's value.
    pub fn gl(self) -> u32 {
        match self {
            Self::SamplesPassed => 0x8914,
            Self::AnySamplesPassed => 0x8C2F,
            Self::AnySamplesPassedConservative => 0x8D6A,
            Self::TimeElapsed => 0x88BF,
            Self::PrimitivesGenerated => 0x8C87,
            Self::PrimitivesWritten => 0x8C88,
            Self::Timestamp => 0x8E28,
        }
    }

    /// From GL's value.
    pub fn from_gl(value: u32) -> Option<Self> {
        [
            Self::SamplesPassed,
            Self::AnySamplesPassed,
            Self::AnySamplesPassedConservative,
            Self::TimeElapsed,
            Self::PrimitivesGenerated,
            Self::PrimitivesWritten,
            Self::Timestamp,
        ]
        .into_iter()
        .find(|target| target.gl() == value)
    }

    /// Whether the result is a truth value.
    pub fn is_boolean(self) -> bool {
        matches!(
            self,
            Self::AnySamplesPassed | Self::AnySamplesPassedConservative
        )
    }

    /// Whether it counts samples: of these kinds one is active at most (GL 4.6 §4.2).
    pub fn is_occlusion(self) -> bool {
        self == Self::SamplesPassed || self.is_boolean()
    }
}

/// A query object.
#[derive(Debug)]
pub struct Query {
    pub name: u32,
    /// Fixed by the first begin (or counter); `None`: a name only.
    pub target: Option<QueryTarget>,
    pub id: QueryId,
    /// Known result of the last run.
    pub result: Option<u64>,
    /// The device counts nothing of this kind: the result is 0 (GL 4.6 §4.2: QUERY_COUNTER_BITS of 0).
    pub uncounted: bool,
    /// Commands before its end were sent since.
    pub flushed: bool,
    pub label: Option<String>,
}

/// Queries of a context.
#[derive(Debug, Default)]
pub struct QueryState {
    pub names: Names<u32>,
    pub objects: Vec<Option<Query>>,
    /// Index in `objects`, by kind.
    pub active: [Option<u32>; ACTIVE_TARGETS],
}

impl QueryState {
    /// The object that `name` names.
    pub fn get(&self, name: u32) -> Option<(u32, &Query)> {
        let index = self.names.get(name)?;
        Some((index, self.objects.get(index as usize)?.as_ref()?))
    }

    /// Whether the query counts right now.
    pub fn is_active(&self, index: u32) -> bool {
        self.active.contains(&Some(index))
    }
}

impl Context {
    /// Begins conditional rendering with its outcome, or ends it. Draws look at it by value: nothing moves.
    pub fn set_condition(&mut self, renders: Option<bool>) {
        self.condition = renders;
    }

    /// Draws and clears have no effect now (GL 4.6 §10.9).
    #[inline]
    pub fn condition_discards(&self) -> bool {
        self.condition == Some(false)
    }

    /// Gives a name an object that has counted nothing yet.
    pub fn create_query(&mut self, objects: &mut Objects, name: u32) {
        let rows = &mut self.queries.objects;
        let free = rows.iter().position(Option::is_none).unwrap_or_else(|| {
            rows.push(None);
            rows.len() - 1
        });
        rows[free] = Some(Query {
            name,
            target: None,
            id: objects.queries.alloc(),
            result: None,
            uncounted: false,
            flushed: false,
            label: None,
        });
        self.queries.names.assign(name, free as u32);
    }
}
