//! Every group of PipeInputs is told by exactly one subsystem bit and at least one call.

use config::BITS;
use pipe_inputs::{Carrier, GROUPS, VERB_CLASSES};

/// What a rule needs of a row.
struct Row {
    name: &'static str,
    bit: u8,
    carrier: Carrier,
    classes: u16,
    fields: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    GROUPS
        .iter()
        .map(|row| Row {
            name: row.name,
            bit: row.bit,
            carrier: row.carrier,
            classes: row.classes,
            fields: row.fields.iter().map(|(field, _)| *field).collect(),
        })
        .collect()
}

/// Rows that break the rule, a sentence each.
fn faults(rows: &[Row]) -> Vec<String> {
    let mut found = Vec::new();
    let residual: Vec<&str> = residual_block::Row::ALL
        .iter()
        .map(|row| row.name())
        .collect();
    for (i, row) in rows.iter().enumerate() {
        if !BITS.iter().any(|bit| bit.bit == row.bit && bit.bit < 62) {
            found.push(format!("{}: bit {} is no subsystem", row.name, row.bit));
        }
        if row.classes == 0 || row.classes >> VERB_CLASSES.len() != 0 {
            found.push(format!("{}: no verb may read it", row.name));
        }
        for field in &row.fields {
            if rows[..i].iter().any(|other| other.fields.contains(field)) {
                found.push(format!("{}: the field {field} has two groups", row.name));
            }
        }
        // Bits 0-3 are the values that may travel in the residual block; the block has a member for each and no other.
        let is_value = row.bit <= 3;
        if is_value != (row.carrier == Carrier::Value) {
            found.push(format!(
                "{}: bit {} and its carrier {:?} disagree",
                row.name, row.bit, row.carrier
            ));
        }
    }
    let values = rows
        .iter()
        .filter(|row| row.carrier == Carrier::Value)
        .count();
    if values != residual.len() {
        found.push(format!(
            "{values} value groups, but the residual block has {residual:?}"
        ));
    }
    for bit in BITS.iter().filter(|bit| bit.bit < 14) {
        if !rows.iter().any(|row| row.bit == bit.bit) {
            found.push(format!("bit {} ({}) owns no group", bit.bit, bit.name));
        }
    }
    found
}

#[test]
fn pipe_inputs_every_field_has_one_carrier() {
    let found = faults(&rows());
    assert!(
        found.is_empty(),
        "pipe-inputs/src/fields.rs:\n{}",
        found.join("\n")
    );
}

#[test]
fn pipe_inputs_every_field_has_one_carrier_control() {
    let mut planted = rows();
    planted[0].bit = 13;
    planted[1].carrier = Carrier::Object;
    planted[2].fields.push("framebuffer");
    planted[19].classes = 0;
    let found = faults(&planted).join("\n");
    for named in [
        "render_state: bit 13 is no subsystem",
        "pixel_pack: bit 1 and its carrier Object disagree",
        "framebuffer: the field framebuffer has two groups",
        "stream_output: no verb may read it",
        "bit 0 (render_state) owns no group",
        "3 value groups",
    ] {
        assert!(found.contains(named), "{named} is not in\n{found}");
    }
}
