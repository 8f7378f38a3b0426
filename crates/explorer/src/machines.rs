//! Machines, and the products that two of them have in common.

use mmasmt_core::machines::model::{Architecture, Model, architectures, find_architecture};
use mmasmt_core::machines::product_pairs::{ProductPairs, kind_name, product_pairs};
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
        json!({
            "name": kind_name(&signature),
            "products": signature.products,
            "models": pair.models.each_ref().map(Model::to_string),
        })
    });
    Ok(json!({ "products": products.collect::<Vec<_>>() }))
}

fn machine(name: &str) -> Result<&'static Architecture, String> {
    find_architecture(name).map_err(|error| error.to_string())
}
