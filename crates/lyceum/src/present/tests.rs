//! What makes text harmless, and what escapes it for each shape.

use super::clean::{clean, json, uri, xml};

#[test]
fn unseen_marks_are_spelt_out_and_letters_stay() {
    assert_eq!(clean("a\u{1b}[31mb\u{7}"), "a<U+001B>[31mb<U+0007>");
    assert_eq!(clean("a\nb\tc\r"), "a b c ");
    assert_eq!(
        clean("x\u{202e}y\u{200b}z\u{e0041}"),
        "x<U+202E>y<U+200B>z<U+E0041>"
    );
    assert_eq!(clean("\u{9b}0m\u{85}"), "<U+009B>0m<U+0085>");
    let kept = "变量 — “é” и̂ ضُ 👩\u{200d}🔬";
    assert_eq!(clean(kept), kept);
}

#[test]
fn xml_cannot_be_broken_out_of() {
    assert_eq!(
        xml("<a b=\"c\">&'\u{0}\u{fffe}"),
        "&lt;a b=&quot;c&quot;&gt;&amp;&apos;(U+0000)(U+FFFE)"
    );
}

#[test]
fn paths_become_uri_references() {
    assert_eq!(uri("a b/ü#?.tex"), "a%20b/%C3%BC%23%3F.tex");
    assert_eq!(uri("../x"), "../x");
}

#[test]
fn json_stays_json() {
    let value = serde_json::json!({"a": "x\u{9b}\u{202e}\u{e0041}\n变"});
    let safe = json(&value.to_string());
    assert!(safe.contains("\\u009b\\u202e\\udb40\\udc41"), "{safe}");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&safe).unwrap(),
        value
    );
    assert_eq!(json("{\n}"), "{\n}");
}
