//! Whether a file has the form that the schema describes: its keys, types and ranges.
//!
//! Serde stops at the first value that does not fit, and says little about it. So the parsed TOML
//! is first checked against the [`Form`] made from the JSON Schema of the format, which finds every
//! such problem, knows the unit, the range and an example of each key, and can never disagree with
//! the schema that editors use. Values that do not fit are taken out of the document, so that the
//! rest can be checked further, unless they are too important to go on without.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::Span;
use super::names::{list, nearest};
use super::report::Report;

/// What a value may look like.
#[derive(Debug)]
pub(super) struct Form {
    kind: Kind,
    noun: String,
    unit: String,
    /// What to write, as TOML.
    example: Option<String>,
}

#[derive(Debug)]
enum Kind {
    Number { whole: bool, range: Range },
    Text { choices: Vec<String>, empty: bool },
    Flag,
    List { entries: Box<Form>, at_least: u64, at_most: u64 },
    Table { fields: BTreeMap<String, Field>, others: Option<Box<Form>> },
    AnyOf(Vec<Form>),
}

#[derive(Debug)]
struct Field {
    form: Form,
    required: bool,
}

/// Limits of a number; infinite where there is none.
#[derive(Debug)]
struct Range {
    min: f64,
    max: f64,
    /// Whether `min` itself is too small.
    above_min: bool,
}

/// What the check found out, besides the errors.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Whether something is missing that the rest of the scene hangs on.
    pub broken: bool,
    /// Tables from which something was taken out. Further errors about them as a whole would be
    /// consequences of those already reported.
    pub cut: HashSet<Span>,
}

impl Form {
    /// The form that the JSON Schema `schema`, with definitions in `root`, describes.
    pub fn from_schema(schema: &Value, root: &Value) -> Self {
        let schema = &dereferenced(schema, root);
        let text = |key: &str| schema[key].as_str().unwrap_or_default().to_owned();
        let example = schema["examples"].get(0).or_else(|| schema.get("default")).map(to_toml);
        Self {
            kind: Kind::from_schema(schema, root),
            noun: text("title"),
            unit: text("x-unit"),
            example,
        }
    }

    /// Checks `document` and takes out what does not fit.
    pub fn check(&self, document: &mut Spanned<DeTable>, report: &mut Report) -> Outcome {
        let Kind::Table { fields, others } = &self.kind else { return Outcome::default() };
        let mut check = Check { report, outcome: Outcome::default() };
        let span = document.span();
        let scene = Place { parent: None, key: "", index: None, name: None, form: self };
        if !check.table(document.get_mut(), span, fields, others.as_deref(), &scene) {
            check.outcome.broken = true;
        }
        check.outcome
    }

    /// What to write, e.g. "a positive number".
    fn expected(&self) -> String {
        match &self.kind {
            Kind::Number { whole, range } => range.expected(*whole),
            Kind::Text { choices, empty: true } if choices.is_empty() => "a text in quotes".into(),
            Kind::Text { choices, .. } if choices.is_empty() => "a name in quotes".into(),
            Kind::Text { choices, .. } => list(choices.iter().map(|c| format!("{c:?}")), "or"),
            Kind::Flag => "true or false".into(),
            Kind::List { entries, at_least: 2, at_most: 2 } => match entries.kind {
                Kind::Number { .. } => "two numbers [x, y]".into(),
                _ => "two points [[x, y], [x, y]]".into(),
            },
            Kind::List { .. } => "a list in square brackets".into(),
            Kind::Table { .. } => "a table in braces".into(),
            Kind::AnyOf(forms) => list(forms.iter().map(Self::expected), "or"),
        }
    }

    fn is_table(&self) -> bool {
        matches!(self.kind, Kind::Table { .. })
    }

    fn fits(&self, value: &DeValue) -> bool {
        match &self.kind {
            Kind::Number { whole: false, .. } => value.is_integer() || value.is_float(),
            Kind::Number { whole: true, .. } => value.is_integer(),
            Kind::Text { .. } => value.is_str(),
            Kind::Flag => value.is_bool(),
            Kind::List { .. } => value.is_array(),
            Kind::Table { .. } => value.is_table(),
            Kind::AnyOf(forms) => forms.iter().any(|form| form.fits(value)),
        }
    }
}

impl Kind {
    fn from_schema(schema: &Value, root: &Value) -> Self {
        let of = |schema: &Value| Form::from_schema(schema, root);
        if let Some(alternatives) = schema["anyOf"].as_array() {
            return Self::AnyOf(alternatives.iter().map(of).collect());
        }
        match schema["type"].as_str().unwrap_or_default() {
            kind @ ("number" | "integer") => {
                Self::Number { whole: kind == "integer", range: Range::from_schema(schema) }
            }
            "boolean" => Self::Flag,
            "array" => Self::List {
                entries: Box::new(of(&schema["items"])),
                at_least: schema["minItems"].as_u64().unwrap_or(0),
                at_most: schema["maxItems"].as_u64().unwrap_or(u64::MAX),
            },
            "object" => Self::Table {
                fields: fields(schema, &of),
                others: schema["additionalProperties"]
                    .is_object()
                    .then(|| Box::new(of(&schema["additionalProperties"]))),
            },
            _ => Self::Text { choices: choices(schema), empty: schema.get("minLength").is_none() },
        }
    }
}

/// The texts to choose from, listed plainly or each with its description.
fn choices(schema: &Value) -> Vec<String> {
    let all = |key: &str| schema[key].as_array().into_iter().flatten();
    let described = all("oneOf").map(|choice| &choice["const"]);
    all("enum").chain(described).filter_map(Value::as_str).map(Into::into).collect()
}

fn fields(schema: &Value, of: &dyn Fn(&Value) -> Form) -> BTreeMap<String, Field> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let field = |(key, schema): (&String, &Value)| {
        (key.clone(), Field { form: of(schema), required: required.contains(&key.as_str()) })
    };
    properties.map(field).collect()
}

impl Range {
    fn from_schema(schema: &Value) -> Self {
        let above = schema["exclusiveMinimum"].as_f64();
        Self {
            min: above.or(schema["minimum"].as_f64()).unwrap_or(f64::NEG_INFINITY),
            max: schema["maximum"].as_f64().unwrap_or(f64::INFINITY),
            above_min: above.is_some(),
        }
    }

    fn contains(&self, number: f64) -> bool {
        (if self.above_min { number > self.min } else { number >= self.min }) && number <= self.max
    }

    fn expected(&self, whole: bool) -> String {
        let number = if whole { "whole number" } else { "number" };
        match (self.min.is_finite(), self.max.is_finite()) {
            (false, false) => format!("a {number}"),
            (false, true) => format!("a {number} up to {}", self.max),
            (true, false) if self.above_min => format!("a positive {number}"),
            (true, false) => format!("a {number} of at least {}", self.min),
            (true, true) if self.above_min => format!("a positive {number} up to {}", self.max),
            (true, true) => format!("a {number} from {} to {}", self.min, self.max),
        }
    }
}

/// Where in the document a check is, for messages.
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    key: &'a str,
    /// Position in a list.
    index: Option<usize>,
    /// The `name` of a table.
    name: Option<String>,
    form: &'a Form,
}

impl Place<'_> {
    fn is_listed_table(&self) -> bool {
        self.index.is_some() && self.form.is_table()
    }

    /// The listed thing this place is or belongs to, e.g. `person 3 of group "visitors"`.
    fn subject(&self) -> String {
        let Some(parent) = self.parent else { return "the scene".into() };
        if !self.is_listed_table() {
            return parent.subject();
        }
        let noun = &self.form.noun;
        let number = self.index.map_or(0, |index| index + 1);
        match (&self.name, parent.subject()) {
            (Some(name), _) => format!("{noun} {name:?}"),
            (None, of) if of == "the scene" => format!("{noun} {number}"),
            (None, of) => format!("{noun} {number} of {of}"),
        }
    }

    /// The keys that lead from the subject to here, e.g. `circle.radius`.
    fn path(&self) -> String {
        let Some(parent) = self.parent else { return String::new() };
        if self.is_listed_table() {
            return String::new();
        }
        let path = parent.path();
        match self.index {
            Some(index) => format!("{path}[{index}]"),
            None if path.is_empty() => self.key.to_owned(),
            None => format!("{path}.{}", self.key),
        }
    }

    /// The nearest example of what to write, e.g. `radius = 0.4`.
    fn example(&self) -> Option<String> {
        match &self.form.example {
            Some(example) if self.index.is_none() => Some(format!("{} = {example}", self.key)),
            _ => self.parent.filter(|parent| !parent.key.is_empty()).and_then(Place::example),
        }
    }

    /// `help`, with the nearest example.
    fn with_example(&self, help: &str) -> String {
        let example = self.example().map(|example| format!(", e.g. {example}"));
        format!("{help}{}", example.unwrap_or_default())
    }
}

/// One check of one document.
struct Check<'r> {
    report: &'r mut Report,
    outcome: Outcome,
}

impl Check<'_> {
    /// Whether `value` can be used. If not, an error has been reported.
    fn value(&mut self, value: &mut Spanned<DeValue>, form: &Form, place: &Place) -> bool {
        if let Kind::AnyOf(forms) = &form.kind
            && let Some(form) = forms.iter().find(|form| form.fits(value.get_ref()))
        {
            return self.value(value, form, place);
        }
        let span = value.span();
        match (&form.kind, value.get_mut()) {
            (Kind::Number { whole, range }, number) if form.fits(number) => {
                let fits = as_number(number, *whole).is_some_and(|number| range.contains(number));
                fits || self.refuse(span, number, form, place)
            }
            (Kind::Text { choices, empty }, DeValue::String(text)) => {
                let chosen = choices.is_empty() || choices.iter().any(|choice| choice == text);
                let fits = chosen && (*empty || !text.trim().is_empty());
                fits || self.refuse(span, &DeValue::String(text.clone()), form, place)
            }
            (Kind::Flag, DeValue::Boolean(_)) => true,
            (Kind::List { entries, at_least, at_most }, DeValue::Array(values)) => {
                let count = values.len() as u64;
                if (*at_least..=*at_most).contains(&count) {
                    self.entries(values, entries, place)
                } else {
                    self.refuse_count(span, count, (*at_least, *at_most), place)
                }
            }
            (Kind::Table { fields, others }, DeValue::Table(table)) => {
                self.table(table, span, fields, others.as_deref(), place)
            }
            (_, value) => self.refuse(span, value, form, place),
        }
    }

    fn entries(&mut self, values: &mut [Spanned<DeValue>], form: &Form, place: &Place) -> bool {
        let mut usable = true;
        for (index, value) in values.iter_mut().enumerate() {
            let name = value.get_ref().as_table().and_then(name_of);
            let entry =
                Place { parent: Some(place), key: place.key, index: Some(index), name, form };
            usable &= self.value(value, form, &entry);
        }
        // Without one of its people or places, half the scene would seem wrong.
        self.outcome.broken |= !usable && form.is_table();
        usable
    }

    fn table(
        &mut self,
        table: &mut DeTable,
        span: Span,
        fields: &BTreeMap<String, Field>,
        others: Option<&Form>,
        place: &Place,
    ) -> bool {
        let mut usable = true;
        let mut unfit = Vec::new();
        for (key, value) in table.iter_mut() {
            let field = fields.get(key.get_ref().as_ref());
            let Some(form) = field.map(|field| &field.form).or(others) else {
                self.refuse_key(key, fields);
                unfit.push(key.get_ref().to_string());
                continue;
            };
            let key_name = key.get_ref().as_ref();
            let inner = Place { parent: Some(place), key: key_name, index: None, name: None, form };
            if !self.value(value, form, &inner) {
                usable &= !field.is_some_and(|field| field.required);
                unfit.push(key_name.to_owned());
            }
        }
        for (key, field) in fields.iter().filter(|(_, field)| field.required) {
            if !table.contains_key(key.as_str()) {
                self.refuse_absence(span.clone(), key, field, place);
                usable = false;
            }
        }
        if !unfit.is_empty() {
            self.outcome.cut.insert(span);
            unfit.iter().for_each(|key| drop(table.remove(key.as_str())));
        }
        usable
    }

    fn refuse(&mut self, span: Span, value: &DeValue, form: &Form, place: &Place) -> bool {
        let (subject, path) = (place.subject(), place.path());
        let number = value.is_integer() || value.is_float();
        let unit = match form.unit.as_str() {
            unit if !number || unit.is_empty() => String::new(),
            "°" => "°".into(),
            unit => format!(" {unit}"),
        };
        let message = match path.as_str() {
            "" => format!("{subject} is {}", shown(value)),
            path => format!("{subject} has {path} {}{unit}", shown(value)),
        };
        let help = match &form.kind {
            Kind::List { entries, .. } if entries.is_table() && value.is_table() => {
                format!("write its heading in double brackets: [[{path}]]")
            }
            _ => place.with_example(&format!("write {}", form.expected())),
        };
        self.report.error(span, message).help(help);
        false
    }

    fn refuse_count(&mut self, span: Span, count: u64, limits: (u64, u64), place: &Place) -> bool {
        let entries = if count == 1 { "entry" } else { "entries" };
        let message = format!("{} has {count} {entries} in {}", place.subject(), place.path());
        let help = match limits {
            (at_least, at_most) if at_least == at_most => format!("write exactly {at_least}"),
            (at_least, _) if count < at_least => format!("write at least {at_least}"),
            (_, at_most) => format!("write at most {at_most}"),
        };
        self.report.error(span, message).help(place.with_example(&help));
        false
    }

    fn refuse_key(&mut self, key: &Spanned<impl AsRef<str>>, fields: &BTreeMap<String, Field>) {
        let written = key.get_ref().as_ref();
        let meant = nearest(written, fields.keys().map(String::as_str));
        let help = match meant.filter(|_| !self.report.is_long()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                format!(
                    "the keys here are {}",
                    list(fields.keys().map(|k| format!("`{k}`")), "and")
                )
            }
        };
        self.report
            .error(key.span(), format!("unknown key `{}`", written.escape_debug()))
            .help(help);
    }

    fn refuse_absence(&mut self, span: Span, key: &str, field: &Field, place: &Place) {
        let path = place.path();
        let of = if path.is_empty() { String::new() } else { format!(" in {path}") };
        let message = format!("{} has no `{key}`{of}", place.subject());
        let help = match (&field.form.example, &field.form.kind) {
            (Some(example), _) => format!("write e.g. {key} = {example}"),
            (None, Kind::Table { .. }) => format!("write a table [{key}]"),
            (None, _) => format!("write {key} = … ({})", field.form.expected()),
        };
        self.report.error(span, message).help(help);
    }
}

/// The number, if it is finite and we can hold it.
fn as_number(value: &DeValue, whole: bool) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => as_integer(integer).map(|integer| integer as f64),
        DeValue::Float(float) if !whole => {
            float.as_str().parse().ok().filter(|number: &f64| number.is_finite())
        }
        _ => None,
    }
}

pub(super) fn as_integer(integer: &DeInteger) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn name_of(table: &DeTable) -> Option<String> {
    table.get("name")?.get_ref().as_str().map(Into::into)
}

/// A value as it is called in messages.
fn shown(value: &DeValue) -> String {
    const LONGEST: usize = 40;
    match value {
        DeValue::String(text) if text.chars().count() > LONGEST => {
            format!("\"{}…\"", text.chars().take(LONGEST).collect::<String>().escape_debug())
        }
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

/// `schema` with what it refers to filled in.
fn dereferenced(schema: &Value, root: &Value) -> Value {
    let Some(reference) = schema["$ref"].as_str() else { return schema.clone() };
    let target = root.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    let mut merged = dereferenced(target, root);
    super::value::merge(&mut merged, schema);
    if let Some(merged) = merged.as_object_mut() {
        merged.remove("$ref");
    }
    merged
}

/// A JSON value as inline TOML.
fn to_toml(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            format!("[{}]", entries.iter().map(to_toml).collect::<Vec<_>>().join(", "))
        }
        Value::Object(table) => {
            let entries = table.iter().map(|(key, value)| format!("{key} = {}", to_toml(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        // Without the ".0" that JSON gives whole numbers here.
        Value::Number(number) => number.as_f64().map_or_else(String::new, |n| n.to_string()),
        other => other.to_string(),
    }
}
