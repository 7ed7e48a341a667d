#if Sync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The values of objects in the form in which a replica keeps them.
    @Suite struct RegistersTests {
        private typealias Model = NamedValues<Register<SyncValue>>

        private func model(_ any: inout AnyState<SeededGenerator>) -> Model {
            var model: Model = [:]
            for index in 0..<any.number(0..<20) {
                var register = any.register()
                if any.number(0..<9) == 0 {
                    let device = DeviceID(.random(in: .min ... .max, using: &any.random))
                    register.clock = Clock(.random(in: .min ... .max, using: &any.random), device)
                }
                if any.number(0..<40) == 0 { register.value = .bytes([UInt8](repeating: 1, count: 5000)) }
                if any.number(0..<40) == 0 { register.value = .text(Text(utf8: [UInt8](repeating: 65, count: 300))) }
                model[Text("n\(index * 7 % 20)")] = register
            }
            return model
        }

        @Test func `registers are named values in another form`() {
            for seed in SeededGenerator.seeds(400) {
                var any = AnyState(random: SeededGenerator(seed: seed))
                var (first, other) = (model(&any), model(&any))
                var registers = Registers(first)
                func check() {
                    expect(registers.unpacked, first, "SEED=\(seed)")
                    expect(registers.values, first.values, "SEED=\(seed)")
                    expect(registers, Registers(first), "SEED=\(seed)")
                    expect(registers.hashValue, Registers(first).hashValue)
                    expect(registers == Registers(other), first == other)
                    var clocks: [Clock] = []
                    registers.forEachClock { clocks.append($0) }
                    expect(clocks, first.values.map(\.clock), "SEED=\(seed)")
                    for name in first.keys + other.keys {
                        expect(registers[name], first[name], "SEED=\(seed)")
                        expect(registers.contains(name), first[name] != nil)
                    }
                    let refers = first.contains { if case .object = $0.value.value { true } else { false } }
                    expect(registers.containObject, refers, "SEED=\(seed)")
                }
                check()
                for name in other.keys.prefix(5) {
                    let value = any.number(0..<3) == 0 ? nil : any.register()
                    (registers[name], first[name]) = (value, value)
                }
                check()
                registers.merge(Registers(other)) { $0.joined($1, by: StandardRules.self) }
                first.merge(other) { $0.joined($1, by: StandardRules.self) }
                check()
                (registers, first) = (registers.only { $0 > "n2" }, first.only { $0 > "n2" })
                other = [:]
                check()
            }
        }
    }
#endif
