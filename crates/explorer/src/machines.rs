//! Machines, and the products that two of them have in common.

use mmasmt_core::machines::model::{Model, architectures, find_architecture};
use mmasmt_core::machines::product_pairs::{ProductPairs, product_pairs};
use serde_json::{Value, json};

/// The machines with models, each with its products' names.
pub fn machines() -> Result<Value, String> {
    let all = architectures().map_err(|error| error.to_string())?;
    let all = all.iter().map(|machine| {
        json!({
            "name": machine.gpus.first().unwrap_or(&machine.name),
            "title": format!("{}: {}", machine.title, machine.gpus.join(", ")),
        })
    });
    Ok(json!({ "machines": all.collect::<Vec<_>>() }))
}

/// The products that two machines have in common: formats and models.
pub fn products(names: &[String; 2]) -> Result<Value, String> {
    let [left, right] = names;
    let machines = [machine(left)?, machine(right)?];
    let ProductPairs { shared, .. } =
        product_pairs(machines, false).map_err(|error| error.to_string())?;
    let products = shared.iter().map(|pair| {
        let signature = pair.signature();
        let scales = signature.scales.map_or(String::new(), |scales| {
            format!(" with {} scales of {}", scales.format, scales.block)
        });
        json!({
            "name": format!("{}{scales} to {}", signature.a, signature.d),
            "products": signature.products,
            "models": pair.models.each_ref().map(Model::to_string),
        })
    });
    Ok(json!({ "products": products.collect::<Vec<_>>() }))
}

fn machine(name: &str) -> Result<&'static mmasmt_core::machines::model::Architecture, String> {
    find_architecture(name).map_err(|error| error.to_string())
}
