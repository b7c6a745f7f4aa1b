//! siunitx: numbers and units as a reader sees them.

use super::super::source::Span;
use super::super::tex_symbols::superscript;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::Action;

impl Reader<'_> {
    /// `\SI{1.5}{\kilo\metre}` and kin. True when the command is one of them.
    pub(super) fn unit_command(&mut self, name: &str, span: Span) -> bool {
        match name {
            "SI" | "qty" => {
                let _ = self.input.optional();
                if self.argument_group(Action::Unit) {
                    self.state.typewriter = true;
                }
            }
            "num" | "ang" | "numproduct" | "numlist" | "tablenum" => {
                let _ = self.input.optional();
                let action = if name == "ang" {
                    Action::Show("°")
                } else {
                    Action::Scope
                };
                if self.argument_group(action) {
                    self.state.typewriter = true;
                }
            }
            "si" | "unit" => {
                let _ = self.input.optional();
                if self.argument_group(Action::Scope) {
                    self.state.units = true;
                }
            }
            "SIrange" | "qtyrange" | "numrange" => {
                let _ = self.input.optional();
                let (Some((from, _)), Some((to, _))) =
                    (self.input.argument(), self.input.argument())
                else {
                    return true;
                };
                let dash = Token::synthetic(Kind::Char('–'), span);
                let mut tokens = from;
                tokens.push(dash);
                tokens.extend(to);
                let action = if name == "numrange" {
                    Action::Scope
                } else {
                    Action::Unit
                };
                self.read_group(tokens, action, span);
            }
            _ => return false,
        }
        true
    }

    /// The unit of a quantity, after its number.
    pub(super) fn begin_unit(&mut self, span: Span) {
        let _ = self.input.optional();
        if self.input.peek().kind == Kind::Open {
            self.space(span);
            if self.argument_group(Action::Scope) {
                self.state.units = true;
            }
        }
    }

    /// A command inside a unit. True when it is one.
    pub(super) fn unit(&mut self, name: &str, span: Span) -> bool {
        if matches!(name, "tothe" | "raiseto") {
            if let Some(tokens) = self.input.short_argument(4) {
                let power: String = self.input.words(&tokens).string;
                let raised: String = power.chars().filter_map(superscript).collect();
                self.show(&raised, span);
            }
            return true;
        }
        let Some(shown) = unit_symbol(name) else {
            return false;
        };
        self.show(shown, span);
        true
    }
}

/// What a unit macro prints.
#[rustfmt::skip]
fn unit_symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "yocto" => "y", "zepto" => "z", "atto" => "a", "femto" => "f", "pico" => "p", "nano" => "n", "micro" => "µ", "milli" => "m", "centi" => "c",
        "deci" => "d", "deca" | "deka" => "da", "hecto" => "h", "kilo" => "k", "mega" => "M", "giga" => "G", "tera" => "T", "peta" => "P", "exa" => "E",
        "kibi" => "Ki", "mebi" => "Mi", "gibi" => "Gi", "tebi" => "Ti",
        "metre" | "meter" | "m" => "m", "gram" | "gramme" | "g" => "g", "second" | "s" => "s", "ampere" | "A" => "A", "kelvin" | "K" => "K", "mole" | "mol" => "mol",
        "candela" | "cd" => "cd", "hertz" | "Hz" => "Hz", "newton" | "N" => "N", "pascal" | "Pa" => "Pa", "joule" | "J" => "J", "watt" | "W" => "W",
        "coulomb" | "C" => "C", "volt" | "V" => "V", "farad" | "F" => "F", "ohm" => "Ω", "siemens" => "S", "weber" => "Wb", "tesla" | "T" => "T",
        "henry" | "H" => "H", "lumen" => "lm", "lux" => "lx", "becquerel" => "Bq", "gray" => "Gy", "sievert" => "Sv", "katal" => "kat", "radian" => "rad",
        "steradian" => "sr", "minute" => "min", "hour" => "h", "day" => "d", "hectare" => "ha", "litre" | "liter" | "l" | "L" => "L", "tonne" => "t",
        "electronvolt" | "eV" => "eV", "dalton" => "Da", "atomicmassunit" => "u", "bel" => "B", "decibel" | "dB" => "dB", "neper" => "Np", "bit" => "bit",
        "byte" => "B", "percent" => "%", "degree" | "arcdegree" => "°", "arcminute" => "′", "arcsecond" => "″", "degreeCelsius" | "celsius" => "°C", "angstrom" => "Å",
        "barn" => "b", "bar" => "bar", "mmHg" => "mmHg", "knot" => "kn", "parsec" => "pc", "lightyear" => "ly", "astronomicalunit" => "au", "year" => "yr",
        "kg" => "kg", "mg" => "mg", "ug" => "µg", "km" => "km", "cm" => "cm", "mm" => "mm", "um" => "µm", "nm" => "nm", "ms" => "ms", "us" => "µs", "ns" => "ns",
        "kHz" => "kHz", "MHz" => "MHz", "GHz" => "GHz", "keV" => "keV", "MeV" => "MeV", "GeV" => "GeV", "TeV" => "TeV", "kPa" => "kPa", "MPa" => "MPa", "mL" | "ml" => "mL",
        "mV" => "mV", "kV" => "kV", "mA" => "mA", "kW" => "kW", "MW" => "MW", "kJ" => "kJ",
        "per" => "/", "square" | "squared" => "²", "cubic" | "cubed" => "³", "of" | "cancel" | "highlight" => "",
        _ => return None,
    })
}
