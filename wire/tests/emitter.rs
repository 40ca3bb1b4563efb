//! The client's end: what it writes, what it waits for, what it does once the peer is lost. Nothing is applied here.

use pipe::host::{SEGMENT_FRONTEND, SEGMENT_STAGE};
use pipe::*;
use std::sync::Arc;
use wire::{Command, Decoder, Emitter, Lost, Reply, ReplyPort, Sink};

/// Keeps what is written and answers from a list.
#[derive(Default)]
struct Port {
    bytes: Vec<u8>,
    answers: Vec<Result<Vec<u8>, Lost>>,
    asked: Vec<Call>,
}

impl Sink for Port {
    fn begin(&mut self, size_bytes: usize) {
        self.bytes.begin(size_bytes);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.bytes.write(bytes);
    }
}

impl ReplyPort for Port {
    fn reply(&mut self, call: Call, into: &mut Vec<u8>) -> Result<(), Lost> {
        self.asked.push(call);
        into.extend(self.answers.remove(0)?);
        Ok(())
    }
}

fn answering(answers: Vec<Result<Vec<u8>, Lost>>) -> Emitter<Port> {
    Emitter::new(Port {
        answers,
        ..Port::default()
    })
}

/// Application memory: one range at an address.
struct Memory(u64, Vec<u8>);

impl HostBytes for Memory {
    fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
        let at = usize::try_from(span.offset.checked_sub(self.0)?).ok()?;
        self.1.get(at..at + usize::try_from(span.size_bytes).ok()?)
    }
}

const ADDRESS: u64 = 0x7FFF_1234_5678;

fn frontend(offset: u64, size_bytes: u64) -> HostSpan {
    HostSpan {
        segment: SEGMENT_FRONTEND,
        _pad: 0,
        offset: ADDRESS + offset,
        size_bytes,
    }
}

fn draw(flags: DrawFlags) -> DrawInfo {
    DrawInfo {
        groups: 0,
        mode: Primitive::Triangles,
        index_size: 2,
        flags: flags.bits(),
        _pad: 0,
        instance_count: 1,
        start_instance: 0,
        first: DrawRange {
            start: 0,
            count: 3,
            index_bias: 0,
        },
        restart_index: 0,
        min_index: 0,
        max_index: 0,
        draw_id: 0,
    }
}

#[test]
fn client_arrays_travel_as_pieces_of_the_draw_and_no_address_leaves() {
    let memory = Memory(ADDRESS, (0..64).collect());
    let host = Host(&memory);
    let mut emitter = answering(vec![]);
    let user = |span| VertexBuffer {
        buffer: BufferId::NULL,
        offset_bytes: 0,
        user: span,
    };
    emitter.set_vertex_buffers(
        &SlotRange { start: 2, count: 2 },
        &[user(frontend(4, 12)), user(HostSpan::NONE)],
    );
    let indices = [frontend(32, 6)];
    let flags = DrawFlags::USER_INDICES | DrawFlags::USER_VERTICES;
    let _ = emitter.draw_vbo(&draw(flags), &[], &[], &indices, host);

    let bytes = std::mem::take(&mut emitter.port().bytes);
    let address = &ADDRESS.to_ne_bytes()[2..6];
    assert!(
        !bytes.windows(4).any(|window| window == address),
        "an address travels"
    );

    let mut decoder = Decoder::default();
    let (command, size) = decoder.next(bytes.as_slice(), 0).expect("valid");
    let Command::set_vertex_buffers { buffers, .. } = command else {
        panic!("{command:?}");
    };
    let span = buffers[0].user;
    assert_eq!((span.segment, span.size_bytes), (SEGMENT_STAGE, 12));
    assert_eq!(buffers[1].user, HostSpan::NONE);
    let (command, _) = decoder.next(bytes.as_slice(), size).expect("valid");
    let Command::draw_vbo {
        user_indices, host, ..
    } = command
    else {
        panic!("{command:?}");
    };
    assert_eq!(host.bytes(&span), Some(&memory.1[4..16]));
    assert_eq!(host.bytes(&user_indices[0]), Some(&memory.1[32..38]));
    let longer = HostSpan {
        size_bytes: 13,
        ..span
    };
    assert_eq!(host.bytes(&longer), None, "past the piece");
    assert_eq!(host.bytes(&frontend(4, 12)), None, "another segment");
}

#[test]
fn spans_of_one_context_are_not_shipped_by_a_draw_of_another() {
    let memory = Memory(ADDRESS, vec![7; 16]);
    let mut emitter = answering(vec![]);
    let bind = |slot| BindContext {
        context: ContextId::new(slot, 1),
        draw: SurfaceId::NULL,
        read: SurfaceId::NULL,
    };
    let arrays = [VertexBuffer {
        buffer: BufferId::NULL,
        offset_bytes: 0,
        user: frontend(0, 16),
    }];
    emitter.bind_context(&bind(1));
    emitter.set_vertex_buffers(&SlotRange { start: 0, count: 1 }, &arrays);
    emitter.bind_context(&bind(2));
    emitter.port().bytes.clear();
    let _ = emitter.draw_vbo(
        &draw(DrawFlags::USER_VERTICES),
        &[],
        &[],
        &[],
        Host(&memory),
    );
    assert_eq!(emitter.port().bytes.len(), 56);
    emitter.bind_context(&bind(1));
    emitter.port().bytes.clear();
    let _ = emitter.draw_vbo(
        &draw(DrawFlags::USER_VERTICES),
        &[],
        &[],
        &[],
        Host(&memory),
    );
    assert_eq!(emitter.port().bytes.len(), 56 + 8 + 16 + 16);
}

#[test]
fn only_calls_of_wait_class_reply_and_immutable_storage_wait() {
    let mut emitter = answering(vec![Ok(vec![]), Ok(vec![1])]);
    let fence = FenceOnly {
        fence: FenceId::new(1, 1),
    };
    let desc = |flags: ResourceFlags| ResourceDesc {
        flags: flags.bits(),
        ..buffer_desc()
    };
    emitter.fence_create(&fence);
    emitter.resource_respecify(&desc(ResourceFlags::empty()));
    assert!(emitter.port().asked.is_empty());
    emitter.resource_respecify(&desc(ResourceFlags::IMMUTABLE));
    assert_eq!(emitter.fence_status(&fence), FenceStatus::Signalled);
    assert_eq!(
        emitter.port().asked,
        [Call::resource_respecify, Call::fence_status]
    );
}

fn buffer_desc() -> ResourceDesc {
    ResourceDesc {
        resource: BufferId::new(1, 1).into(),
        target: Target::Buffer,
        _pad0: 0,
        format: Format::None,
        width: 0,
        height: 0,
        depth: 0,
        layers: 0,
        levels: 0,
        samples: 0,
        _pad1: 0,
        bind: 0,
        flags: 0,
        usage: 0,
        storage_flags: 0,
        name_for_diagnostics: 0,
        size_bytes: 16,
        view_of: TextureId::NULL,
        view_min_level: 0,
        view_min_layer: 0,
        _pad2: 0,
        texture_buffer: BufferId::NULL,
        texture_buffer_offset_bytes: 0,
        texture_buffer_size_bytes: 0,
        lifetime: 0,
    }
}

#[test]
fn reply_bytes_fill_the_callers_memory_behind_the_result() {
    let mut emitter = answering(vec![Ok(vec![1, 10, 11, 12])]);
    let mut out = [0; 3];
    let readback = Readback {
        buffer: BufferId::new(1, 1),
        offset_bytes: 0,
        size_bytes: 3,
    };
    assert!(emitter.resource_readback(&readback, ReplyBytes(Some(&mut out))));
    assert_eq!(out, [10, 11, 12]);
}

#[test]
fn lost_peer_is_latched_and_polls_end_instead_of_waiting_for_ever() {
    for answer in [
        Err(Lost("gone".into())),
        Ok(vec![]),
        Ok(vec![1, 1]),
        Ok(vec![9]),
    ] {
        let mut emitter = answering(vec![answer]);
        let query = QueryOnly {
            query: QueryId::new(1, 1),
        };
        assert!(
            emitter.query_available(&query),
            "or the program polls for ever"
        );
        assert!(emitter.lost().is_some());
        emitter.port().bytes.clear();
        assert!(!emitter.map_persistent(&MapPersistent {
            buffer: BufferId::new(1, 1)
        }));
        let fence = FenceOnly {
            fence: FenceId::new(1, 1),
        };
        assert_eq!(emitter.fence_status(&fence), FenceStatus::Signalled);
        assert!(
            emitter.port().bytes.is_empty(),
            "nothing is sent to a lost peer"
        );
    }
}

#[test]
fn capabilities_come_back_as_they_were_written_and_an_unknown_backend_is_refused() {
    let caps = Arc::new(Caps {
        backend: "vulkan",
        device: "a device".into(),
        driver: "1.2.3".into(),
        limits: Limits {
            max_texture_size: 16384,
            point_size_range: [1.0, 64.0],
            ..Limits::default()
        },
        abilities: Ability::TIMER_QUERY,
        calls: (1 << 70) - 1,
        formats: vec![FormatUse::SAMPLE | FormatUse::RENDER; 3],
        missing: vec![("a".into(), "b".into())],
    });
    let mut answer = Vec::new();
    caps.write(&mut answer);
    let bad = Arc::new(Caps {
        backend: "elsewhere",
        ..(*caps).clone()
    });
    let mut refused = Vec::new();
    bad.write(&mut refused);
    let mut emitter = answering(vec![Ok(answer), Ok(refused)]);
    assert_eq!(emitter.get_caps(&Empty { _pad: 0 }), caps);
    assert_eq!(emitter.get_caps(&Empty { _pad: 0 }), Arc::default());
    assert!(emitter.lost().is_some());
}
