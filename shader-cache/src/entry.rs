//! One file: a header with the key and the hash of the bytes, then the bytes. It must never hand out bytes that it did not check.

use crate::Key;
use std::io::Read;
use std::path::Path;

/// Of this layout of files. An older library leaves what it does not know alone until it ages out.
const MAGIC: [u8; 8] = *b"MGSHC\0\0\x01";
const HEADER_BYTES: usize = MAGIC.len() + 32 + 32 + 8;

/// Why there is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// There is no file, or it cannot be read.
    Absent,
    /// There is one, and it is not what was written.
    Damaged,
}

/// The size of the file that holds `bytes`.
pub fn file_size(bytes: &[u8]) -> u64 {
    (HEADER_BYTES + bytes.len()) as u64
}

/// The file's contents.
pub fn encode(key: &Key, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER_BYTES + bytes.len());
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(key.bytes());
    file.extend_from_slice(blake3::hash(bytes).as_bytes());
    file.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    file.extend_from_slice(bytes);
    file
}

/// The bytes in a file, if it is whole and of this key.
pub fn read(path: &Path, key: &Key) -> Result<Vec<u8>, Bad> {
    let mut file = std::fs::File::open(path).map_err(|_| Bad::Absent)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|_| Bad::Absent)?;
    decode(&bytes, key).map(<[u8]>::to_vec).ok_or(Bad::Damaged)
}

fn decode<'a>(file: &'a [u8], key: &Key) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(&MAGIC)?;
    let (own_key, rest) = rest.split_first_chunk::<32>()?;
    let (hash, rest) = rest.split_first_chunk::<32>()?;
    let (length, bytes) = rest.split_first_chunk::<8>()?;
    let whole = own_key == key.bytes()
        && u64::from_le_bytes(*length) == bytes.len() as u64
        && blake3::hash(bytes).as_bytes() == hash;
    whole.then_some(bytes)
}
