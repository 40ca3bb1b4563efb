//! Aggregate generations: one compare says whether any object of a family moved. They only ever grow.
//!
//! Each set of them carries a total that moves with every one: whoever borrows a generation to change it moves the total, so that it
//! cannot be forgotten. Two numbers are thus enough to see that nothing moved at all, and where something did, [`Versions`] says what.

use crate::View;
use std::ops::{Deref, DerefMut};

macro_rules! generations {
    ($($(#[$doc:meta])* $set:ident of $fields:ident { $($(#[$fdoc:meta])* $name:ident,)* })*) => {
        $(
            #[doc = concat!("The fields of [`", stringify!($set), "`].")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $fields { $($(#[$fdoc])* pub $name: u64,)* }

            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $set {
                total: u64,
                fields: $fields,
            }

            impl Default for $set {
                fn default() -> Self {
                    Self { total: 1, fields: $fields { $($name: 1,)* } }
                }
            }

            impl Deref for $set {
                type Target = $fields;
                #[inline]
                fn deref(&self) -> &$fields {
                    &self.fields
                }
            }

            impl DerefMut for $set {
                /// Whoever asks for this changes a generation.
                #[inline]
                fn deref_mut(&mut self) -> &mut $fields {
                    self.total += 1;
                    &mut self.fields
                }
            }

            impl $set {
                /// Moves when any of them moves.
                #[inline]
                pub fn total(&self) -> u64 {
                    self.total
                }

                /// Which ones are others than `then`.
                fn moved_since(&self, then: &Self) -> Moved {
                    let (now, then) = (&self.fields, &then.fields);
                    Moved(0 $(| u32::from(now.$name != then.$name) << Generation::$name as u32)*)
                }
            }
        )*

        /// Every generation, and the two versions that stand beside them.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Generation {
            $($($(#[$fdoc])* $name,)*)*
            /// The render state's pipeline subset or dynamic values.
            render_state,
            /// Marks of objects: [`crate::Emission::serial`].
            emission,
        }

        /// Generations by the names of their fields.
        pub const NAMED: &[(&str, Generation)] = &[$($((stringify!($name), Generation::$name),)*)*];
    };
}

generations! {
    /// About objects that contexts share.
    ObjectGenerations of ObjectFields {
        /// Any texture's storage or texels.
        any_texture_content,
        /// Any texture's parameters or any sampler object's.
        any_texture_params,
        /// Any buffer's storage or bytes.
        any_buffer_change,
        /// Any renderbuffer's storage.
        any_renderbuffer_change,
        /// Which buffers are mapped, and how.
        mappings,
        /// Any program's link, units, binding points or default uniforms.
        any_program_change,
    }
    /// About objects and bindings of one context.
    ContextGenerations of ContextFields {
        /// Any vertex array's attributes or binding points, or which array is bound.
        any_vao_attribute,
        /// The bound vertex array's element array buffer, or which array is bound.
        index_buffer,
        /// Any framebuffer's attachments, draw or read buffers, or which are bound.
        any_framebuffer_attachment,
        /// Which texture or sampler any unit has.
        texture_bindings,
        /// Which image any image unit has.
        image_bindings,
        /// Which range any indexed buffer binding has.
        buffer_bindings,
        /// Indirect, dispatch and parameter buffers.
        indirect_bindings,
        /// Transform feedback object and its ranges.
        stream_output,
        /// Which program is in use.
        program,
        /// Any current attribute value.
        attrib_defaults,
        /// Pack parameters.
        pixel_pack,
        /// Patch parameters.
        patch,
    }
}

/// A set of [`Generation`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved(u32);

const _: () = assert!(Generation::emission as u32 + 1 < 32, "a set has 32 bits");

impl Moved {
    pub const NONE: Self = Self(0);
    /// How many generations there are.
    pub const COUNT: usize = Generation::emission as usize + 1;
    pub const ALL: Self = Self((1 << (Generation::emission as u32 + 1)) - 1);

    /// The set of these.
    pub const fn of(generations: &[Generation]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < generations.len() {
            set |= 1 << generations[i] as u32;
            i += 1;
        }
        Self(set)
    }

    /// Whether the generation with this index is in it.
    pub const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }

    /// Whether some generation is in both.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The generations of the set, as indices.
    #[inline]
    pub fn indices(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (index < u32::BITS as usize).then_some(index)
        })
    }
}

impl View<'_> {
    /// A number that stands exactly as long as nothing of this context, of any object and of the emission moves. All that it adds up
    /// only ever grows. Never 0.
    #[inline]
    pub fn stamp(&self, emission: u64) -> u64 {
        self.ctx.generations.total
            + self.objects.generations.total
            + self.ctx.render_state.version()
            + emission
    }
}

/// Every version and generation at one moment. It holds no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    render_state: u64,
    emission: u64,
    context: ContextGenerations,
    objects: ObjectGenerations,
}

impl Versions {
    /// As of now.
    pub fn of(view: View<'_>, emission: u64) -> Self {
        Self {
            render_state: view.ctx.render_state.version(),
            emission,
            context: view.ctx.generations,
            objects: view.objects.generations,
        }
    }

    /// What moved since the moment, which is now from now on. Where a total stands, its fields are not looked at.
    pub fn advance(&mut self, view: View<'_>, emission: u64) -> Moved {
        let (context, objects) = (&view.ctx.generations, &view.objects.generations);
        let version = view.ctx.render_state.version();
        let mut moved = Moved(
            u32::from(self.render_state != version) << Generation::render_state as u32
                | u32::from(self.emission != emission) << Generation::emission as u32,
        );
        self.render_state = version;
        self.emission = emission;
        if self.context.total != context.total {
            moved = moved.or(context.moved_since(&self.context));
            self.context = *context;
        }
        if self.objects.total != objects.total {
            moved = moved.or(objects.moved_since(&self.objects));
            self.objects = *objects;
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_moves_with_every_generation_and_a_read_moves_nothing() {
        let mut now = ContextGenerations::default();
        let then = now;
        assert_eq!(now.patch, 1);
        assert_eq!(now.total(), then.total());
        now.patch += 1;
        now.program += 1;
        assert_eq!(now.total(), then.total() + 2);
        let moved = Moved::of(&[Generation::patch, Generation::program]);
        assert_eq!(now.moved_since(&then), moved);
        assert!(!moved.meets(Moved::of(&[Generation::pixel_pack])));
    }
}
