#if Sync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The sets of the keys of many objects.
    @Suite struct KeySetTests {
        private func key(_ any: inout AnyState<SeededGenerator>, _ count: Int64) -> ObjectKey {
            if any.number(0..<8) == 0 { return any.key() }
            // Zero is a key, too, and so is each half alone.
            let number = UInt128(any.number(0..<count))
            return ObjectKey(any.name(), .uuid(any.number(0..<2) == 0 ? number : number << 64))
        }

        @Test func `a set of keys is a set`() {
            for seed in SeededGenerator.seeds(60) {
                var any = AnyState(random: SeededGenerator(seed: seed))
                var (keys, model): (KeySet, Set<ObjectKey>) = ([], [])
                let count = any.number(1..<300)
                for _ in 0..<600 {
                    let key = key(&any, count)
                    if any.number(0..<3) == 0 {
                        keys.remove(key)
                        model.remove(key)
                    } else {
                        keys.insert(key)
                        model.insert(key)
                    }
                    expect(keys.contains(key), model.contains(key), "SEED=\(seed)")
                }
                expect(keys.count, model.count)
                expect(keys.isEmpty, model.isEmpty)
                expect(keys.sorted(), model.sorted(), "SEED=\(seed)")
                expect(keys, KeySet(model))
                for _ in 0..<100 {
                    let key = key(&any, count)
                    expect(keys.contains(key), model.contains(key), "SEED=\(seed)")
                }
                let before = keys
                keys.formUnion((0..<50).map { _ in self.key(&any, count) })
                #expect(before.allSatisfy(keys.contains))
                for key in model { keys.remove(key) }
                expect(keys.filter(model.contains), [])
                expect(before.sorted(), model.sorted())
            }
        }

        @Test func `a set keeps the keys of a class apart from those of other classes`() {
            var keys: KeySet = [ObjectKey("a", .uuid(1)), ObjectKey("b", .text("k"))]
            #expect(!keys.contains(ObjectKey("b", .uuid(1))))
            #expect(!keys.contains(ObjectKey("a", .text("k"))))
            keys.remove(ObjectKey("b", .uuid(1)))
            expect(keys.count, 2)
            keys.remove(ObjectKey("a", .uuid(1)))
            expect(keys, [ObjectKey("b", .text("k"))])
            keys.remove(ObjectKey("b", .text("k")))
            #expect(keys.isEmpty)
        }
    }
#endif
