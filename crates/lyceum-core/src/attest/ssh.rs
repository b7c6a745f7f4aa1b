//! What an SSH signature says of itself: its key, its purpose, whether a person touched the key.
//!
//! The cryptography is `ssh-keygen`'s; this only reads the envelope (PROTOCOL.sshsig of OpenSSH), so that a signature
//! is never counted for more than it shows.

use super::Strength;

/// Most bytes of an armoured signature.
const ARMOUR: usize = 64 << 10;

/// The envelope of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The kind of key, such as `ssh-ed25519`.
    pub key_type: String,
    /// What it was made for.
    pub namespace: String,
    /// True when the key is of hardware and the signature says that it was touched.
    pub touched: bool,
}

impl Envelope {
    /// The strength that the signature shows by itself.
    #[must_use]
    pub fn strength(&self) -> Strength {
        if self.touched {
            Strength::Presence
        } else {
            Strength::Signed
        }
    }
}

/// Reads an armoured signature; `None` when it is none.
#[must_use]
pub fn envelope(armoured: &str) -> Option<Envelope> {
    if armoured.len() > ARMOUR {
        return None;
    }
    let body = armoured
        .trim()
        .strip_prefix("-----BEGIN SSH SIGNATURE-----")?
        .strip_suffix("-----END SSH SIGNATURE-----")?;
    let bytes = base64(body)?;
    let rest = bytes.strip_prefix(b"SSHSIG")?;
    let (version, rest) = number(rest)?;
    let (key, rest) = string(rest)?;
    let (namespace, rest) = string(rest)?;
    let (_, rest) = string(rest)?;
    let (_, rest) = string(rest)?;
    let (signature, rest) = string(rest)?;
    if version != 1 || !rest.is_empty() {
        return None;
    }
    let (key_type, _) = string(key)?;
    let (algorithm, of_signature) = string(signature)?;
    let key_type = String::from_utf8(key_type.to_vec()).ok()?;
    let hardware = key_type.starts_with("sk-");
    if hardware != algorithm.starts_with(b"sk-") {
        return None;
    }
    // The signature of a hardware key is followed by one byte of flags and a counter; bit 0 is "a user was present".
    let (_, tail) = string(of_signature)?;
    let touched = hardware && tail.len() == 5 && tail.first().is_some_and(|flags| flags & 1 == 1);
    Some(Envelope {
        key_type,
        namespace: String::from_utf8(namespace.to_vec()).ok()?,
        touched,
    })
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*head), rest))
}

fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = number(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits, mut padded) = (0u32, 0u32, false);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padded = true;
                continue;
            }
            _ => return None,
        };
        if padded {
            return None;
        }
        held = (held << 6) | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from((held >> bits) & 0xff).ok()?);
        }
        held &= (1 << bits) - 1;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for chunk in bytes.chunks(3) {
            let mut held = [0; 3];
            held[..chunk.len()].copy_from_slice(chunk);
            let word = u32::from_be_bytes([0, held[0], held[1], held[2]]);
            for at in 0..4 {
                let digit = usize::try_from(word >> (18 - 6 * at) & 63).unwrap();
                out.push(if at <= chunk.len() {
                    char::from(DIGITS[digit])
                } else {
                    '='
                });
            }
        }
        out
    }

    fn text(bytes: &[u8]) -> Vec<u8> {
        let mut out = u32::try_from(bytes.len()).unwrap().to_be_bytes().to_vec();
        out.extend(bytes);
        out
    }

    fn armoured(key: &str, tail: &[u8]) -> String {
        let mut signature = [text(key.as_bytes()), text(b"64 bytes")].concat();
        signature.extend(tail);
        let bytes = [
            b"SSHSIG".to_vec(),
            1u32.to_be_bytes().to_vec(),
            text(&[text(key.as_bytes()), text(b"point")].concat()),
            text(b"lyceum-attestation"),
            text(b""),
            text(b"sha512"),
            text(&signature),
        ]
        .concat();
        format!(
            "-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n",
            encoded(&bytes)
        )
    }

    #[test]
    fn a_simulated_touch_is_told_from_none() {
        let key = "sk-ssh-ed25519@openssh.com";
        let touched = envelope(&armoured(key, &[1, 0, 0, 0, 9])).unwrap();
        assert_eq!(touched.strength(), Strength::Presence);
        assert_eq!(touched.namespace, "lyceum-attestation");
        for tail in [&[0, 0, 0, 0, 9][..], &[4, 0, 0, 0, 9], &[], &[1]] {
            let other = envelope(&armoured(key, tail)).unwrap();
            assert_eq!(other.strength(), Strength::Signed);
        }
        // A key of no hardware shows no touch, whatever stands behind its signature.
        let plain = envelope(&armoured("ssh-ed25519", &[1, 0, 0, 0, 9])).unwrap();
        assert_eq!(plain.strength(), Strength::Signed);
    }

    #[test]
    fn what_is_no_signature() {
        let good = armoured("ssh-ed25519", &[]);
        assert!(envelope(&good).is_some());
        for at in 0..good.len() {
            assert!(envelope(good.get(..at).unwrap()).is_none() || at >= good.trim().len());
        }
        for bad in ["", "-----BEGIN SSH SIGNATURE-----", &good.replace('A', "*")] {
            assert!(envelope(bad).is_none(), "{bad}");
        }
        assert!(envelope(&"A".repeat(100_000)).is_none());
    }
}
