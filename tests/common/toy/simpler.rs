//! Units that are simpler than one: a step, an option, an argument or a product less, formats of fewer bits, smaller numbers.

use super::{Text, Value};

impl Text {
    /// Every unit that is simpler in one respect. Some of them are no units.
    pub fn simpler(&self) -> Vec<Text> {
        let mut found = Vec::new();
        for step in 0..self.steps.len() {
            let mut less = self.clone();
            less.steps.remove(step);
            found.push(less);
        }
        let mut values = 0;
        self.clone().each(&mut |_| values += 1);
        for place in 0..values {
            for choice in 0.. {
                let mut less = self.clone();
                let (mut seen, mut is_done) = (0, false);
                less.each(&mut |value| {
                    if seen == place && !is_done {
                        is_done = value.simplify(choice);
                        seen = usize::MAX / 2;
                    }
                    seen += 1;
                });
                if !is_done {
                    break;
                }
                found.push(less);
            }
        }
        found.extend(self.of_smaller_header());
        found.retain(|less| less != self);
        found
    }

    fn of_smaller_header(&self) -> Vec<Text> {
        let mut found = Vec::new();
        let mut with = |change: &dyn Fn(&mut Text)| {
            let mut less = self.clone();
            change(&mut less);
            found.push(less);
        };
        let is_integer = |name: &str| name.starts_with(['s', 'u']) && !name.starts_with("ue");
        let smaller = |name: &'static str| match is_integer(name) {
            true => ["s4", "s8"],
            false => ["e2m1", "e2m3"],
        };
        let header = &self.header;
        for less in 1..header.products {
            with(&|text| text.header.products = less);
        }
        if header.c.is_some() {
            with(&|text| text.header.c = None);
        }
        with(&|text| text.header.scales = None);
        for choice in 0..2 {
            let rank = |name: &'static str| smaller(name).iter().position(|other| *other == name);
            let is_less = |name: &'static str| rank(name).is_none_or(|rank| choice < rank);
            if is_less(header.a) {
                with(&|text| text.header.a = smaller(text.header.a)[choice]);
            }
            if is_less(header.b) {
                with(&|text| text.header.b = smaller(text.header.b)[choice]);
            }
            if let Some(c) = header.c.filter(|c| is_less(c)) {
                with(&|text| text.header.c = Some(smaller(c)[choice]));
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            if step.turns.is_some_and(|turns| turns > 1) {
                with(&|text| text.steps[index].turns = Some(1));
            }
        }
        found
    }
}

impl Value {
    /// Makes the value simpler in one of several ways; false if there are no more than `choice` of them.
    fn simplify(&mut self, choice: usize) -> bool {
        let mut ways: Vec<Value> = Vec::new();
        match self {
            Value::At(of, index) if index != "0" => ways.push(Value::At(of.clone(), "0".into())),
            Value::At(..) => {}
            Value::Name(name) if name == "c" => {}
            Value::Name(name) | Value::Part(name, _) => {
                ways.push(Value::At(name.clone(), "0".into()));
            }
            Value::Product(pair) => ways.extend(pair.iter().cloned()),
            Value::Call(call) => {
                ways.extend(call.arguments.iter().cloned());
                for option in 0..call.options.len() {
                    let mut less = call.clone();
                    less.options.remove(option);
                    ways.push(Value::Call(less));
                    if let Ok(number) = call.options[option].1.parse::<i64>()
                        && number != 0
                    {
                        for smaller in [0, number / 2, number - number.signum()] {
                            let mut less = call.clone();
                            less.options[option].1 = smaller.to_string();
                            ways.push(Value::Call(less));
                        }
                    }
                }
                for argument in 0..call.arguments.len() {
                    if call.arguments.len() > 1 {
                        let mut less = call.clone();
                        less.arguments.remove(argument);
                        ways.push(Value::Call(less));
                    }
                }
            }
        }
        ways.retain(|way| way != self);
        match ways.into_iter().nth(choice) {
            Some(way) => {
                *self = way;
                true
            }
            None => false,
        }
    }
}
