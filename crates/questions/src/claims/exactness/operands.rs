//! The set of values that a domain admits for each operand of a model.

use super::operand::OperandValues;
use super::set::Multiples;
use super::sum::{Sum, SumLeaf};
use super::units::Product;
use crate::claims::property::Domain;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::Format;

/// For each operand of a dot-add, the set of finite values that a domain admits.
#[derive(Clone)]
pub(super) struct DomainOperands {
    pub products: Vec<Product>,
    c: OperandValues,
}

impl DomainOperands {
    /// The operands that the domain admits; `None` if it admits no finite value for some operand.
    pub fn of(signature: &Signature, domain: &Domain) -> Option<Self> {
        let count = signature.products as usize;
        let operand =
            |index: usize, format: &Format| OperandValues::of(format, domain.range(index));
        let first_scale = 2 * count + 1;
        let scale_count = signature.scale_count() as usize;
        let product = |k: usize| {
            let scales = match signature.scales {
                None => None,
                Some(scales) => {
                    let block = first_scale + k / scales.block as usize;
                    let scale = |index| operand(index, &scales.format);
                    let (a, b) = (scale(block)?, scale(block + scale_count)?);
                    Some([(a, scales.format), (b, scales.format)])
                }
            };
            Some(Product {
                index: k,
                a: operand(k, &signature.a)?,
                b: operand(count + k, &signature.b)?,
                scales,
            })
        };
        Some(DomainOperands {
            products: (0..count).map(product).collect::<Option<_>>()?,
            c: operand(2 * count, &signature.c)?,
        })
    }

    /// The values that the accumulator `c` may have.
    pub fn c(&self) -> &OperandValues {
        &self.c
    }

    /// The accumulator `c` as a sum of one leaf.
    pub fn addend(&self) -> Sum {
        let OperandValues { zero, minus, .. } = self.c;
        Sum::leaf(SumLeaf::Addend, self.c.values.clone(), zero, minus)
    }

    /// The same operands, except that the factors of every product may have the values of the
    /// factors of any product.
    #[must_use]
    pub fn in_any_order(mut self) -> Self {
        let any = self
            .products
            .iter()
            .cloned()
            .reduce(|any, product| Product {
                a: any.a.or(&product.a),
                b: any.b.or(&product.b),
                ..product
            });
        if let Some(any) = any {
            for product in &mut self.products {
                product.a = any.a.clone();
                product.b = any.b.clone();
            }
        }
        self
    }

    /// The same operands, except that the factors of product number `first` and of all later
    /// products are +0.
    #[must_use]
    pub fn with_zeros_from(mut self, first: usize) -> Self {
        for product in self.products.iter_mut().skip(first) {
            product.a = OperandValues::plus_zero();
            product.b = OperandValues::plus_zero();
        }
        self
    }

    /// A set that holds the values of all terms, given by a common unit and a greatest magnitude.
    pub fn terms(&self) -> Multiples {
        let products = self.products.iter().map(|product| product.exact().values);
        products.fold(self.c.values.clone(), |all, term| all.or(&term))
    }

    /// All terms that may be nonzero: the products in their order, then `c`.
    pub fn leaves(&self) -> Vec<SumLeaf> {
        let products = self
            .products
            .iter()
            .flat_map(|product| product.exact().leaves);
        products.chain(self.addend().leaves).collect()
    }
}
