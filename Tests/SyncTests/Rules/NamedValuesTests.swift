#if Sync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The properties of an object, which take little memory.
    @Suite struct NamedValuesTests {
        @Test func `named values are a dictionary in the order of its names`() {
            for seed in SeededGenerator.seeds(300) {
                var random = SeededGenerator(seed: seed)
                func pair(_ count: Int) -> (values: NamedValues<Int>, model: [Text: Int]) {
                    var (values, model): (NamedValues<Int>, [Text: Int]) = ([:], [:])
                    for _ in 0..<Int.random(in: 0..<count, using: &random) {
                        let name = Text("n\(Int.random(in: 0..<25, using: &random))")
                        let value = Int.random(in: 0..<9, using: &random)
                        values[name] = value < 7 ? value : nil
                        model[name] = value < 7 ? value : nil
                    }
                    return (values, model)
                }
                var (values, model) = pair(60)
                let (other, otherModel) = pair(40)
                func check() {
                    expect(values.keys, model.keys.sorted())
                    expect(values.mapValues { $0 }, model)
                    for name in otherModel.keys { expect(values[name], model[name]) }
                    expect(values, NamedValues(model))
                }
                check()
                values.merge(other, uniquingKeysWith: max)
                model.merge(otherModel, uniquingKeysWith: max)
                check()
                values = values.only { $0 > "n2" }
                model = model.filter { $0.key > "n2" }
                check()
            }
        }

        @Test func `objects of a batch that have the same properties share the names`() throws {
            func address(_ state: ObjectState?) -> Int? {
                state?.properties.keys.withUnsafeBufferPointer { $0.baseAddress.map { Int(bitPattern: $0) } }
            }
            var state = ObjectState(in: GroupID(1))
            state.properties = ["a": Register(.integer(1), .none), "b": Register(.text("x"), .none)]
            let keys = (0..<3).map { ObjectKey("note", .uuid($0)) }
            var objects = Dictionary(uniqueKeysWithValues: keys.map { ($0, state) })
            objects[keys[1]]?.properties["c"] = Register(.null, .none)
            let batch = Batch(from: DeviceID(1), in: GroupID(1), after: 0, last: 1, objects: objects)
            let header = BatchHeader(
                group: batch.group, epoch: 0, device: batch.device, after: 0, last: 1, previous: [])
            let read = try PayloadReader.batch(PayloadWriter.bytes(of: batch)[...], header)
            expect(read.objects, objects)
            let states = keys.map { read.objects[$0] }
            #expect(address(states[0]) != address(states[1]))
            // Sorted by key, the object with another property is between them.
            let (names, shared) = (WrittenNames([], []), SharedNames())
            func object(_ bytes: [UInt8]) throws -> ObjectState {
                try PayloadReader.object(
                    bytes[...], in: batch.group, names.names.values, names.devices.values, sharing: shared)
            }
            let bytes = keys.map { PayloadWriter.bytes(of: objects[$0] ?? state, in: batch.group, names) }
            let stored = try bytes.map { try object($0) }
            expect(stored, keys.map { objects[$0] ?? state })
            let again = try object(bytes[2])
            expect(address(again), address(stored[2]))
        }
    }
#endif
