//! Queries, fences and contexts through the executor onto the driver. It repeats no check of the client.

use crate::cover;
use crate::rig::*;
use pipe::*;

#[test]
fn occlusion_and_primitives_queries_answer() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let ids = [(0x8914_u32, 1), (0x8C2F, 1), (0x8C87, 2)];
    for (i, (target, _)) in ids.iter().enumerate() {
        let query = QueryId::new(i as u32 + 1, 1);
        rig.gl.query_create(&QueryCreate {
            query,
            target: *target,
            index: 0,
        });
    }
    for (i, (target, expected)) in ids.iter().enumerate() {
        let query = QueryOnly {
            query: QueryId::new(i as u32 + 1, 1),
        };
        rig.gl.query_begin(&query);
        let program = cover(
            &mut rig,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        );
        if *target == 0x8C87 {
            rig.use_program(program);
            rig.draw_arrays(Primitive::Triangles, 0, 3);
        }
        rig.gl.query_end(&query);
        rig.check();
        assert_eq!(rig.gl.query_result(&query), *expected, "{target:#x}");
        assert!(rig.gl.query_available(&query));
    }
}

#[test]
fn fence_is_signalled_after_a_wait() {
    let mut rig = Rig::new();
    rig.clear([1.0; 4]);
    let fence = FenceId::new(1, 1);
    rig.gl.fence_create(&FenceOnly { fence });
    let status = rig.gl.fence_wait(&FenceWait {
        fence,
        timeout_ns: 5_000_000_000,
    });
    assert_eq!(status, FenceStatus::Signalled);
    assert_eq!(
        rig.gl.fence_status(&FenceOnly { fence }),
        FenceStatus::Signalled
    );
}

#[test]
fn two_contexts_share_objects_and_keep_their_state() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let buffer = rig.buffer(&[5; 8]);
    let (one, surface) = (ContextId::new(1, 1), SurfaceId::new(1, 1));
    let two = ContextId::new(2, 1);
    rig.gl.create_context(two).expect("a second context");
    rig.gl.bind_context(&BindContext {
        context: two,
        draw: surface,
        read: surface,
    });
    rig.check();
    assert_eq!(rig.buffer_bytes(buffer, 8), [5; 8]);
    rig.gl.bind_context(&BindContext {
        context: one,
        draw: surface,
        read: surface,
    });
    assert_eq!(rig.pixel(0, 0), [255, 0, 0, 255]);
}
