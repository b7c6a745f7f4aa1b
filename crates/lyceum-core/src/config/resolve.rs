//! What holds in the end: flags before environment before project before user before default.

use super::parse::from_words;
use super::schema::{self, KEYS, Key};
use super::types::{Layer, Notice, Origin, Setting, Value};
use crate::attest::Strength;
use crate::base::{Confidentiality, Language};
use crate::check::{ConfigWaivers, Profile, Tier};

/// The settings that hold.
#[derive(Clone, Debug, Default)]
pub struct Config {
    settings: Vec<Setting>,
    /// The project's waivers.
    pub waivers: ConfigWaivers,
    /// What is odd in any source.
    pub notices: Vec<Notice>,
}

impl Config {
    /// Puts the layers together; later ones go first. Every plain key has a setting afterwards.
    #[must_use]
    pub fn resolve(layers: Vec<Layer>) -> Self {
        let mut out = Self::default();
        for key in KEYS {
            if let Some(value) = default(key) {
                out.settings.push(Setting {
                    path: key.path.to_owned(),
                    value,
                    origin: Origin::Default,
                });
            }
        }
        for layer in layers {
            out.notices.extend(layer.notices);
            for setting in layer.settings {
                match out.settings.iter_mut().find(|old| old.path == setting.path) {
                    // No source undoes the caution of another: a foreign project, or an agent that sets a variable.
                    Some(old) if caution(old) > caution(&setting) => {}
                    Some(old) if old.origin <= setting.origin => *old = setting,
                    Some(_) => {}
                    None => out.settings.push(setting),
                }
            }
            if let Some((path, text)) = layer.file
                && !layer.waivers.is_empty()
            {
                out.waivers = ConfigWaivers {
                    path,
                    text,
                    waivers: layer.waivers,
                    whole: false,
                };
            }
        }
        out
    }

    /// Every setting, known keys in the order of the reference, then the others.
    #[must_use]
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The setting of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.path == path)
    }

    /// Sets a value by a flag.
    pub fn set_by_flag(&mut self, path: &str, value: Value, flag: &str) {
        let setting = Setting {
            path: path.to_owned(),
            value,
            origin: Origin::Flag {
                flag: flag.to_owned(),
            },
        };
        match self.settings.iter_mut().find(|old| old.path == path) {
            Some(old) => *old = setting,
            None => self.settings.push(setting),
        }
    }

    fn text(&self, path: &str) -> &str {
        match self.get(path).map(|setting| &setting.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The words of a list; none for a key that holds no list.
    #[must_use]
    pub fn list(&self, path: &str) -> &[String] {
        match self.get(path).map(|setting| &setting.value) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }

    /// The value of a flag.
    #[must_use]
    pub fn flag(&self, path: &str) -> bool {
        matches!(
            self.get(path).map(|setting| &setting.value),
            Some(Value::Flag(true))
        )
    }

    /// A whole number; `None` for a key that holds none.
    #[must_use]
    pub fn count(&self, path: &str) -> Option<u64> {
        match self.get(path).map(|setting| &setting.value) {
            Some(Value::Other(number)) => number.as_u64(),
            _ => None,
        }
    }

    /// The language, when it is set.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        match self.text("language") {
            "en" => Some(Language::English),
            "zh" => Some(Language::Chinese),
            _ => None,
        }
    }

    /// The genre, when it is set.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        let name = self.text("check.profile");
        Profile::ALL
            .iter()
            .copied()
            .find(|profile| profile.as_str() == name)
    }

    /// The tier from which on a problem makes a check fail; `None` for never.
    #[must_use]
    pub fn fail_on(&self) -> Option<Tier> {
        let name = self.text("check.fail_on");
        [Tier::Error, Tier::Warning, Tier::Opinion]
            .into_iter()
            .find(|tier| tier.as_str() == name)
    }

    /// The weakest approval that counts.
    #[must_use]
    pub fn require(&self) -> Strength {
        match self
            .get("checkpoints.require")
            .map(|setting| &setting.value)
        {
            Some(Value::Text(text)) => Strength::parse(text).unwrap_or_default(),
            _ => Strength::default(),
        }
    }

    /// The class of the project.
    #[must_use]
    pub fn confidentiality(&self) -> Confidentiality {
        let name = self.text("confidentiality");
        Confidentiality::ALL
            .into_iter()
            .find(|class| class.as_str() == name)
            .unwrap_or_default()
    }
}

/// How far a setting of the class keeps text at home; 0 for every other setting.
fn caution(setting: &Setting) -> u8 {
    let Value::Text(name) = &setting.value else {
        return 0;
    };
    match (setting.path.as_str(), name.as_str()) {
        ("confidentiality", "embargo") => 1,
        ("confidentiality", "referee" | "human-data") => 2,
        _ => 0,
    }
}

fn default(key: &Key) -> Option<Value> {
    if key.default.is_empty() || key.kind == schema::Kind::Waivers {
        return None;
    }
    let words = key.default.replace(['[', ']', '"'], "");
    from_words(key, &words)
}
