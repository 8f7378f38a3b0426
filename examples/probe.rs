use mmasmt::{bits::term::*, bits::Prop, engine::*, model::*, property::*};
use std::time::*;
fn main(){ let a:Vec<String>=std::env::args().collect();
 let l=Model::parse(&a[1]).unwrap(); let r=Model::parse(&a[2]).unwrap();
 let t=Instant::now(); let _s=Scope::new(); let i=SymbolicInputs::new(l.signature());
 let d=differ(&i,&l,&r); println!("terms {:?} {:?} {:?}", with_graph(|g|g.size()), d.as_constant(), t.elapsed());
 let mut s=Search::new(0); s.assert(d); s.assert(i.finite());
 println!("{:?} {:?}", s.size(), t.elapsed());
 let v=s.solve(&[], &Limits::default().within(Duration::from_secs(120)));
 println!("{v:?} {:?}", t.elapsed());
 if v==Verdict::Sat { let x=i.read(|n|s.value(n)); println!("{} {:x} {:x} {:x} {:x}", x.to_line(&l.signature()), l.evaluate_big(&x), r.evaluate_big(&x), l.simulator().run(&x), r.simulator().run(&x)); }
}
