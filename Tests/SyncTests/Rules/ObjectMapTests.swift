#if Sync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The objects that a replica knows, with their numbers.
    @Suite struct ObjectMapTests {
        private struct Model {
            var states: [ObjectKey: ObjectState] = [:]
            var touched: [ObjectKey: Int64] = [:]
            var edited: [ObjectKey: Int64] = [:]
            var created: [ObjectKey: ObjectMap.Creation] = [:]
            var places: [ObjectKey: GroupID] = [:]
        }

        /// A state in one of the forms in which a map stores it.
        private func state(_ any: inout AnyState<SeededGenerator>) -> ObjectState {
            if any.number(0..<3) == 0 { return any.state() }
            var state = ObjectState(in: any.group(), since: any.clock())
            state.life = [0, 1, 2, Int64(UInt32.max), Life.longest][Int(any.number(0..<5))]
            state.properties = any.state().properties
            let size = [0, 5, 300, 900, 5000][Int(any.number(0..<5))]
            state.properties["n"] = Register(.bytes([UInt8](repeating: 7, count: size)), any.clock())
            return state
        }

        @Test func `a map of objects is a dictionary of states, whose numbers end with the state`() {
            for seed in SeededGenerator.seeds(60) {
                var any = AnyState(random: SeededGenerator(seed: seed))
                var (map, model): (ObjectMap, Model) = ([:], Model())
                let count = any.number(1..<300)
                for step in 0..<600 {
                    let key = ObjectKey(any.name(), .uuid(UInt128(any.number(0..<count))))
                    switch any.number(0..<9) {
                    case 0...2:
                        let state = state(&any)
                        (map[key], model.states[key]) = (state, state)
                    case 3:
                        (map[key], model.states[key]) = (nil, nil)
                        (model.touched[key], model.edited[key]) = (nil, nil)
                        (model.created[key], model.places[key]) = (nil, nil)
                    case 4:
                        map[key]?.life += 2
                        model.states[key]?.life += 2
                    default:
                        let (number, group) = (any.number(1..<600), any.group())
                        map[touched: key] = number
                        map[edited: key] = step.isMultiple(of: 2) ? number : nil
                        map[created: key] = .init(number: number, group: group)
                        map[place: key] = step.isMultiple(of: 3) ? group : nil
                        guard model.states[key] != nil else { continue }
                        model.touched[key] = number
                        model.edited[key] = step.isMultiple(of: 2) ? number : nil
                        model.created[key] = .init(number: number, group: group)
                        model.places[key] = step.isMultiple(of: 3) ? group : nil
                    }
                }
                expect(map.count, model.states.count)
                expect(map.keys.sorted(), model.states.keys.sorted())
                for type in ["a", "b", "é"] as [Text] {
                    for number in 0..<count {
                        let key = ObjectKey(type, .uuid(UInt128(number)))
                        expect(map[key], model.states[key], "SEED=\(seed)")
                        expect(map[touched: key], model.touched[key], "SEED=\(seed)")
                        expect(map[edited: key], model.edited[key], "SEED=\(seed)")
                        expect(map[created: key], model.created[key], "SEED=\(seed)")
                        expect(map[place: key], model.places[key], "SEED=\(seed)")
                    }
                }
                expect(map, ObjectMap(model.states))
                expect(map.filter { $1.isAlive }, model.states.filter { $1.isAlive })
                expect(map.keys { $0.isDeleted }.sorted(), model.states.filter { $1.isDeleted }.keys.sorted())
                let touched = model.touched.filter { (100...400).contains($0.value) }
                expect(Dictionary(uniqueKeysWithValues: map.touched(in: 100...400).map { ($0, $1) }), touched)
                expect(map.numbers(after: 300).sorted(), model.touched.values.filter { $0 > 300 }.sorted())
                let edits = model.edited.filter { $0.value > 200 && $0.key.type == "a" }.count
                expect(map.count(editedAfter: 200) { $0.type == "a" }, edits)
                var plain = map.withoutNumbers
                expect(plain, map)
                expect(plain.numbers(after: 0), [])
                guard let key = map.keys.min() else { continue }
                expect(plain[key], model.states[key])
                expect(plain[place: key], nil)
                expect(map[touched: key], model.touched[key])
                let last = map.keys.last
                plain[touched: key] = 7
                expect(plain.numbers(after: 0), [7])
                if let last, last != key {
                    plain[last] = nil
                    expect(plain[last], nil)
                    expect(plain[touched: key], 7)
                    plain[last] = map[last]
                    expect(plain[touched: last], nil)
                    expect(plain, map)
                }
                let before = map
                map[key] = nil
                #expect(map != before)
                expect(before[key], model.states[key])
            }
        }
    }
#endif
