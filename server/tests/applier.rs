//! The applier: the same calls give the same state with and without bytes in between, and each kind of lie ends the session by name.

mod common;

use common::*;
use pipe::pixels::PixelStore;
use pipe::*;
use pipe_inputs::{GroupMask, Inspect, Values};
use proptest::prelude::*;
use server::{Budget, FatalKind, Why};
use std::sync::OnceLock;
use wire::Emitter;

/// What was told, without the spans, which differ on purpose: an address on one side, a key on the other.
fn values(stream: &impl Inspect) -> Values {
    let mut values = stream.told().values(GroupMask::ALL);
    let strip = |span: &mut HostSpan| {
        if span.segment != 0 {
            (span.segment, span.offset) = (9, 0);
        }
    };
    for buffer in values.vertex_buffers.iter_mut().flatten() {
        strip(&mut buffer.user);
    }
    for range in values.uniform_buffers.iter_mut().flatten() {
        strip(&mut range.host);
    }
    values
}

#[test]
fn recorded_calls_applied_through_the_codec_tell_what_the_direct_calls_tell() {
    let mut direct = null();
    direct.create_context(CONTEXT).expect("null contexts");
    tell(&mut direct);
    let mut emitter = local();
    tell(&mut emitter);
    let port = emitter.port();
    port.apply(&mut |call, _| panic!("{call:?} was answered before"));
    assert_eq!(port.result, Ok(()));
    let mask = GroupMask::ALL;
    let told = values(port.applier.stream());
    assert_eq!(told.first_difference(&values(&direct), mask), None);
    assert_ne!(told.draw_program, None);

    act(&mut direct);
    act(&mut emitter);
    assert_eq!(emitter.lost(), None);
    emitter
        .port()
        .apply(&mut |call, _| panic!("{call:?} was answered before"));
    let applier = &mut emitter.port().applier;
    let told = values(applier.stream());
    assert_eq!(told.first_difference(&values(&direct), mask), None);
    let events = |stream: &mut Null| stream.events().drain().collect::<Vec<_>>();
    let (ours, theirs) = (events(applier.stream()), events(&mut direct));
    assert_eq!(ours, theirs);
    assert_eq!(ours, [], "the null backend complains");
    assert_eq!(
        applier.stream().backend().totals(),
        direct.backend().totals()
    );

    end(&mut emitter);
    emitter.port().apply(&mut |_, _| ());
    assert_eq!(emitter.port().result, Ok(()));
}

#[test]
fn capabilities_reach_the_client_as_the_backend_says_them() {
    let empty = Empty { _pad: 0 };
    assert_eq!(local().get_caps(&empty), null().get_caps(&empty));
}

/// A call behind everything told, and the fault that it must be.
fn ends_with(lie: impl FnOnce(&mut Emitter<Local<Null>>), call: Call, why: Why) {
    let mut emitter = local();
    tell(&mut emitter);
    let port = emitter.port();
    port.apply(&mut |_, _| ());
    assert_eq!(port.result, Ok(()));
    let at_byte = port.applied as u64;
    lie(&mut emitter);
    let port = emitter.port();
    port.apply(&mut |_, _| ());
    let fatal = port.result.clone().expect_err(call.row().name);
    assert_eq!((fatal.call, &fatal.why), (Some(call), &why));
    assert!(fatal.at_byte >= at_byte);
    // Latched: a good record behind it changes nothing.
    let again = port.applier.apply([0_u8; 0].as_slice(), &mut |_, _| ());
    assert!(again.is_ok(), "nothing was sent");
    let good = FenceOnly {
        fence: FenceId::new(9, 1),
    };
    let mut next = Emitter::new(std::mem::replace(
        port,
        Local::new(null(), Budget::default()),
    ));
    next.port().pending.clear();
    next.fence_create(&good);
    next.port().apply(&mut |_, _| ());
    assert_eq!(next.port().result, Err(fatal));
}

fn dead(kind: HandleKind, slot: u32, generation: u32) -> Why {
    Why::NotAlive {
        kind,
        slot,
        generation,
    }
}

fn past(what: &'static str, end: u64, limit: u64) -> Why {
    Why::Past { what, end, limit }
}

fn field(field: &'static str, value: u64) -> Why {
    Why::Value { field, value }
}

#[test]
fn handle_that_is_dead_stale_foreign_or_absurd_ends_the_session() {
    use HandleKind as K;
    let stale = TextureId::new(1, 2);
    ends_with(
        |p| {
            p.resource_destroy(&ResourceOnly {
                resource: stale.into(),
            })
        },
        Call::resource_destroy,
        dead(K::Texture, 1, 2),
    );
    ends_with(
        |p| {
            p.resource_destroy(&ResourceOnly {
                resource: BUFFER.into(),
            });
            p.resource_destroy(&ResourceOnly {
                resource: BUFFER.into(),
            });
        },
        Call::resource_destroy,
        dead(K::Buffer, 1, 1),
    );
    ends_with(
        |p| {
            p.resource_destroy(&ResourceOnly {
                resource: ResourceRef::NULL,
            })
        },
        Call::resource_destroy,
        Why::Null(K::Buffer),
    );
    let foreign = ResourceRef {
        handle: BUFFER.0,
        kind: 12,
    };
    ends_with(
        |p| p.resource_destroy(&ResourceOnly { resource: foreign }),
        Call::resource_destroy,
        Why::NoKind,
    );
    ends_with(
        |p| p.resource_create(&buffer(BUFFER)),
        Call::resource_create,
        Why::AlreadyAlive {
            kind: K::Buffer,
            slot: 1,
        },
    );
    ends_with(
        |p| p.resource_create(&buffer(BufferId::new(MAX_SLOTS, 1))),
        Call::resource_create,
        Why::SlotTooHigh {
            kind: K::Buffer,
            slot: MAX_SLOTS,
        },
    );
    ends_with(
        |p| {
            p.fence_create(&FenceOnly {
                fence: FenceId::NULL,
            })
        },
        Call::fence_create,
        Why::Null(K::Fence),
    );
    ends_with(
        |p| {
            p.query_begin(&QueryOnly {
                query: QueryId::new(2, 1),
            })
        },
        Call::query_begin,
        dead(K::Query, 2, 1),
    );
    ends_with(
        |p| {
            p.bind_vertex_elements(&VertexElementsOnly {
                id: VertexElementsId::new(1, 9),
            })
        },
        Call::bind_vertex_elements,
        dead(K::VertexElements, 1, 9),
    );
    let view = BoundView {
        view: VIEW,
        texture: TextureId::new(7, 1),
    };
    ends_with(
        |p| p.set_sampler_views(&run(0, 1), &[view]),
        Call::set_sampler_views,
        dead(K::Texture, 7, 1),
    );
    let mut state = framebuffer();
    state.depth.resource = RenderbufferId::new(4, 1).into();
    ends_with(
        |p| p.set_framebuffer_state(&state),
        Call::set_framebuffer_state,
        dead(K::Renderbuffer, 4, 1),
    );
    ends_with(
        |p| {
            p.bind_context(&BindContext {
                context: ContextId::new(2, 1),
                draw: SurfaceId::NULL,
                read: SurfaceId::NULL,
            });
        },
        Call::bind_context,
        dead(K::Context, 2, 1),
    );
}

#[test]
fn verb_without_its_groups_or_its_state_ends_the_session() {
    let host = Host::NONE;
    let groups = |groups| DrawInfo { groups, ..draw() };
    let draw_with = |p: &mut Emitter<Local<Null>>, info: &DrawInfo| {
        let _ = p.draw_vbo(info, &[], &[], &[], host);
    };
    ends_with(
        |p| draw_with(p, &groups(ALL & !(1 << 9))),
        Call::draw_vbo,
        Why::GroupNotValidated {
            group: "framebuffer",
        },
    );
    ends_with(
        |p| draw_with(p, &groups(u32::MAX)),
        Call::draw_vbo,
        Why::UnknownGroups { mask: u32::MAX },
    );
    let incomplete = FramebufferState {
        complete: 0,
        ..framebuffer()
    };
    ends_with(
        |p| {
            p.set_framebuffer_state(&incomplete);
            draw_with(p, &draw());
        },
        Call::draw_vbo,
        Why::Incomplete("draw"),
    );
    ends_with(
        |p| {
            p.delete_shader(&ShaderOnly { id: SHADER });
            draw_with(p, &draw());
        },
        Call::draw_vbo,
        Why::Null(HandleKind::Shader),
    );
    ends_with(
        |p| {
            draw_with(
                p,
                &DrawInfo {
                    index_size: 3,
                    ..draw()
                },
            )
        },
        Call::draw_vbo,
        field("index_size", 3),
    );
    ends_with(
        |p| {
            draw_with(
                p,
                &DrawInfo {
                    flags: 0x80,
                    ..draw()
                },
            )
        },
        Call::draw_vbo,
        field("flags", 0x80),
    );
    let flags = DrawFlags::USER_INDICES.bits();
    ends_with(
        |p| {
            draw_with(
                p,
                &DrawInfo {
                    index_size: 2,
                    flags,
                    ..draw()
                },
            )
        },
        Call::draw_vbo,
        Why::Flag("the index tail"),
    );
    // The emitter finds no bytes for the span, so none arrive.
    ends_with(
        |p| {
            let info = DrawInfo {
                index_size: 2,
                flags,
                ..draw()
            };
            let _ = p.draw_vbo(&info, &[], &[], &[span(0, 6)], host);
        },
        Call::draw_vbo,
        Why::Span,
    );
    let source = DrawIndirect {
        offset_bytes: 17,
        stride_bytes: 0,
        draw_count: 15,
        count_offset_bytes: 0,
    };
    ends_with(
        |p| {
            let flags = DrawFlags::INDIRECT.bits();
            let _ = p.draw_vbo(&DrawInfo { flags, ..draw() }, &[], &[source], &[], host);
        },
        Call::draw_vbo,
        past("draw commands", 257, BUFFER_BYTES),
    );
    ends_with(
        |p| {
            let groups = ALL;
            let at = GridInfo {
                groups,
                x: 0,
                y: 0,
                z: 0,
                indirect_offset_bytes: u64::MAX - 3,
            };
            let _ = p.launch_grid(&at);
        },
        Call::launch_grid,
        Why::Overflow("dispatch command"),
    );
    // A context that was told nothing.
    let mut emitter = local();
    emitter.bind_context(&BindContext {
        context: CONTEXT,
        draw: SurfaceId::NULL,
        read: SurfaceId::NULL,
    });
    draw_with(&mut emitter, &draw());
    emitter.port().apply(&mut |_, _| ());
    let fatal = emitter.port().result.clone().expect_err("nothing told");
    assert_eq!(
        fatal.why,
        Why::GroupNeverTold {
            group: "render_state"
        }
    );
    assert_eq!(
        fatal.to_string(),
        "Fatal{ProtocolCorruption, \"draw_vbo\"}: byte 32: the verb reads group render_state, which was never told"
    );
}

#[test]
fn box_range_or_count_outside_what_it_indexes_ends_the_session() {
    ends_with(
        |p| p.resource_subdata(&texels(), &[region(13, 0, 4, 3)], &[7; 48]),
        Call::resource_subdata,
        past("region", 17, 16),
    );
    ends_with(
        |p| p.resource_subdata(&texels(), &[region(-1, 0, 4, 3)], &[7; 48]),
        Call::resource_subdata,
        field("region", 0xFFFF_FFFF),
    );
    ends_with(
        |p| p.resource_subdata(&texels(), &[region(2, 2, 4, 3)], &[7; 47]),
        Call::resource_subdata,
        past("region's source", 48, 47),
    );
    let strided = SubRegion {
        src_row_stride_bytes: u32::MAX,
        ..region(2, 2, 4, 3)
    };
    ends_with(
        |p| p.resource_subdata(&texels(), &[strided], &[7; 48]),
        Call::resource_subdata,
        past("region's source", 2 * 0xFFFF_FFFF + 16, 48),
    );
    ends_with(
        |p| {
            p.resource_subdata(
                &SubData {
                    level: 2,
                    ..texels()
                },
                &[region(0, 0, 1, 1)],
                &[7; 4],
            )
        },
        Call::resource_subdata,
        past("level", 3, 2),
    );
    let at_end = SubData {
        resource: BUFFER.into(),
        buffer_offset_bytes: u64::MAX,
        buffer_size_bytes: 1,
        ..texels()
    };
    ends_with(
        |p| p.resource_subdata(&at_end, &[], &[0]),
        Call::resource_subdata,
        Why::Overflow("range"),
    );
    let readback = Readback {
        buffer: BUFFER,
        offset_bytes: 250,
        size_bytes: 7,
    };
    ends_with(
        |p| {
            let _ = p.resource_readback(&readback, ReplyBytes(Some(&mut [0; 7])));
        },
        Call::resource_readback,
        past("range", 257, 256),
    );
    let readback = Readback {
        buffer: BUFFER,
        offset_bytes: 0,
        size_bytes: 8,
    };
    ends_with(
        |p| {
            let _ = p.resource_readback(&readback, ReplyBytes(Some(&mut [0; 7])));
        },
        Call::resource_readback,
        Why::Bytes {
            what: "room for the reply",
            holds: 7,
            needs: 8,
        },
    );
    // Two rows of four pixels at a row length of six: 6 * 4 + 4 * 4.
    ends_with(
        |p| {
            let _ = p.read_pixels(&read_pixels(), ReplyBytes(Some(&mut [0; 39])));
        },
        Call::read_pixels,
        Why::Bytes {
            what: "room for the reply",
            holds: 39,
            needs: 40,
        },
    );
    let into_buffer = ReadPixels {
        pack_buffer: BUFFER,
        pack_offset_bytes: 217,
        ..read_pixels()
    };
    ends_with(
        |p| {
            let _ = p.read_pixels(&into_buffer, ReplyBytes(None));
        },
        Call::read_pixels,
        past("image", 257, 256),
    );
    let copy = CopyRegion {
        src: TEXTURE.into(),
        dst: TEXTURE.into(),
        src_level: 0,
        dst_level: 1,
        src_box: region(0, 0, 8, 4).dst,
        dst_x: 1,
        dst_y: 0,
        dst_z: 0,
        src_offset_bytes: 0,
        dst_offset_bytes: 0,
        size_bytes: 0,
    };
    ends_with(
        |p| p.resource_copy_region(&copy),
        Call::resource_copy_region,
        past("destination", 9, 8),
    );
    ends_with(
        |p| {
            p.set_sampler_views(
                &run(192, 1),
                &[BoundView {
                    view: VIEW,
                    texture: TEXTURE,
                }],
            )
        },
        Call::set_sampler_views,
        past("run of slots", 193, 192),
    );
    ends_with(
        |p| p.bind_sampler_states(&run(0, 2), &[SamplerOnly { id: SAMPLER }]),
        Call::bind_sampler_states,
        Why::Count { says: 2, holds: 1 },
    );
    ends_with(
        |p| {
            p.set_dynamic_state(
                &DynamicState {
                    chunk_mask: 1 << 31,
                    version: 0,
                    _pad: 0,
                },
                &[1],
            )
        },
        Call::set_dynamic_state,
        field("chunk_mask", 1 << 31),
    );
    ends_with(
        |p| p.set_vertex_attrib_defaults(&AttribDefaults { mask: 3 }, &[]),
        Call::set_vertex_attrib_defaults,
        Why::Count { says: 2, holds: 0 },
    );
    let mut wild = elements(VertexElementsId::new(2, 1));
    wild.attribs[3].binding = 16;
    ends_with(
        |p| p.create_vertex_elements(&wild),
        Call::create_vertex_elements,
        field("binding", 16),
    );
    let mut wild = framebuffer();
    wild.draw_buffers[1] = 8;
    ends_with(
        |p| p.set_framebuffer_state(&wild),
        Call::set_framebuffer_state,
        field("draw_buffers", 8),
    );
    let store = PixelStore {
        alignment: 3,
        ..PixelStore::default()
    };
    ends_with(
        |p| p.set_pixel_pack_state(&PixelPack { store }),
        Call::set_pixel_pack_state,
        field("alignment", 3),
    );
    let mismatched = desc(BufferId::new(5, 1), Target::Texture2D);
    ends_with(
        |p| p.resource_create(&mismatched),
        Call::resource_create,
        field("target", 2),
    );
    let huge = ResourceDesc {
        width: 1 << 30,
        height: 1 << 30,
        layers: u16::MAX,
        ..texture(TextureId::new(2, 1))
    };
    ends_with(
        |p| p.resource_create(&huge),
        Call::resource_create,
        Why::Overflow("storage"),
    );
}

#[test]
fn residual_block_of_unknown_rows_ends_the_session() {
    let rows = 1 << 31;
    ends_with(
        |p| p.set_residual_value_state(&ResidualValueState { rows }, &[1]),
        Call::set_residual_value_state,
        Why::Codec(wire::Why::ResidualBlock { rows }),
    );
}

#[test]
fn session_beyond_its_budget_ends_and_releasing_makes_room_again() {
    let budget = Budget {
        objects: 4,
        bytes: 20_000,
        reply_bytes: 16,
    };
    let id = |slot| BufferId::new(slot, 1);
    let sized = |slot, size_bytes| ResourceDesc {
        size_bytes,
        ..buffer(id(slot))
    };
    let run = |calls: &dyn Fn(&mut Emitter<Local<Null>>)| {
        let mut emitter = Emitter::new(Local::new(null(), budget));
        calls(&mut emitter);
        let port = emitter.port();
        port.apply(&mut |_, _| ());
        port.result
            .clone()
            .err()
            .map(|fatal| (fatal.why.kind(), fatal.why))
    };
    let over = |what, wants, limit| {
        Some((
            FatalKind::BudgetExceeded,
            Why::Budget { what, wants, limit },
        ))
    };
    let in_turn = run(&|p| {
        for generation in 1..100 {
            let resource = BufferId::new(1, generation).into();
            p.resource_create(&ResourceDesc {
                resource,
                ..sized(1, 8000)
            });
            p.resource_respecify(&ResourceDesc {
                resource,
                ..sized(1, 10_000)
            });
            p.resource_destroy(&ResourceOnly { resource });
        }
    });
    assert_eq!(in_turn, None);
    // The context is the first object; its table and the buffers' cost two rows of 2048 bytes each.
    let objects = run(&|p| (1..=4).for_each(|slot| p.resource_create(&sized(slot, 0))));
    assert_eq!(objects, over("objects", 5, 4));
    let bytes = run(&|p| p.resource_create(&sized(1, 20_000)));
    assert_eq!(bytes, over("bytes", 28_192, 20_000));
    let respecified = run(&|p| {
        p.resource_create(&sized(1, 10));
        p.resource_respecify(&sized(1, 20_000));
    });
    assert_eq!(respecified, over("bytes", 28_192, 20_000));
    // One slot far out would make every table of this side as long.
    let far = run(&|p| p.resource_create(&sized(4000, 0)));
    assert_eq!(far, over("bytes", 4096 + 4001 * 2048, 20_000));
    let reply = run(&|p| {
        p.resource_create(&sized(1, 100));
        let readback = Readback {
            buffer: id(1),
            offset_bytes: 0,
            size_bytes: 17,
        };
        p.resource_readback(&readback, ReplyBytes(Some(&mut [0; 17])));
    });
    assert_eq!(reply, over("reply", 17, 16));
}

#[cfg(feature = "residual")]
#[test]
fn residual_block_through_the_codec_becomes_state() {
    use zerocopy::IntoBytes;
    let patch = PatchState {
        vertices: 7,
        outer: [4.0; 4],
        inner: [5.0; 2],
    };
    // Row 2 of the block: patch state, as its own bytes.
    let rows = 1 << 2;
    let mut emitter = local();
    tell(&mut emitter);
    emitter.set_residual_value_state(&ResidualValueState { rows }, patch.as_bytes());
    emitter.port().apply(&mut |_, _| ());
    assert_eq!(emitter.port().result, Ok(()));
    let told = values(emitter.port().applier.stream());
    assert_eq!(told.patch, Some(patch));
}

/// A whole session as bytes.
fn session() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let mut recorder = Emitter::new(Recorder::default());
        tell(&mut recorder);
        act(&mut recorder);
        end(&mut recorder);
        assert_eq!(recorder.lost(), None);
        std::mem::take(&mut recorder.port().0)
    })
}

/// Keeps records; answers as the null backend would.
#[derive(Default)]
struct Recorder(Vec<u8>);

impl wire::Sink for Recorder {
    fn begin(&mut self, size_bytes: usize) {
        self.0.begin(size_bytes);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }
}

impl wire::ReplyPort for Recorder {
    fn reply(&mut self, call: Call, into: &mut Vec<u8>) -> Result<(), wire::Lost> {
        match call {
            Call::query_available => into.push(1),
            Call::read_pixels => into.resize(65, 0),
            Call::resource_respecify => {}
            other => panic!("{other:?} is not in the session"),
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Any edit of a valid session is applied or refused; no panic, no abort, no hang.
    #[test]
    fn mutated_session_is_applied_or_refused_by_name(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), 0_u8..6), 1..6),
    ) {
        let mut stream = session().to_vec();
        for (index, value, kind) in edits {
            let at = index.index(stream.len());
            let word = at & !7;
            match kind {
                0 => stream[at] = value as u8,
                1 => stream[at] = stream[at].wrapping_add(1),
                2 => stream[at] = stream[at].wrapping_sub(1),
                3 => {
                    let bytes = stream[word..].iter_mut();
                    bytes.zip(value.to_ne_bytes()).for_each(|(byte, with)| *byte = with);
                }
                4 => stream[word..].iter_mut().take(8).for_each(|byte| *byte = 0xFF),
                // A record's tail, doubled or dropped, at a record's granularity or not.
                _ => {
                    let tail = stream[word..].to_vec();
                    stream.truncate(at.min(word + 64));
                    stream.extend_from_slice(&tail);
                }
            }
        }
        let mut local = Local::new(null(), Budget { reply_bytes: 1 << 16, bytes: 1 << 26, ..Budget::default() });
        local.pending = stream;
        local.apply(&mut |_, _| ());
        if let Err(fatal) = &local.result {
            prop_assert!(!fatal.to_string().is_empty());
        } else {
            prop_assert!(local.pending.is_empty());
        }
    }
}

#[test]
fn unedited_session_is_applied_whole() {
    let mut local = Local::new(null(), Budget::default());
    local.pending = session().to_vec();
    local.apply(&mut |_, _| ());
    assert_eq!((local.result, local.pending.len()), (Ok(()), 0));
}
