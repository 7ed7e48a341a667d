#if Sync
    import PersistentSync

    /// Random states that have few keys, clocks and values, so that they often agree and often clash.
    struct AnyState<Generator: RandomNumberGenerator> {
        var random: Generator

        mutating func number(_ range: Range<Int64>) -> Int64 { .random(in: range, using: &random) }
        mutating func device() -> DeviceID { DeviceID(UInt128(number(1..<4))) }
        mutating func group() -> GroupID { GroupID(UInt128(number(1..<3))) }
        mutating func clock() -> Clock { Clock(UInt64(number(1..<5)), device()) }
        mutating func name() -> Text { ["a", "b", "é"].randomElement(using: &random) ?? "a" }
        mutating func key() -> ObjectKey {
            ObjectKey(name(), Bool.random(using: &random) ? .uuid(UInt128(number(0..<4))) : .text("k"))
        }

        mutating func value() -> SyncValue {
            switch number(0..<10) {
            case 0: .null
            case 1: .integer(number(-2..<2))
            case 2: .integer([.min, .max].randomElement(using: &random) ?? 0)
            case 3: .real([0, -0.0, .nan, .infinity, -.infinity, 0.1, -.nan].randomElement(using: &random) ?? 0)
            case 4:
                .text(Text(utf8: [[0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xFF], []].randomElement(using: &random) ?? []))
            case 5: .bytes([UInt8](repeating: 7, count: Int(number(0..<40))))
            case 6: .decimal("12.50")
            case 7: .blob(hash: [UInt8](repeating: UInt8(number(0..<2)), count: 32), size: number(0..<3))
            default: .object(key())
            }
        }

        mutating func register() -> Register<SyncValue> { Register(value(), clock()) }
        mutating func map<Key: Hashable, Value>(
            _ key: (inout Self) -> Key, _ value: (inout Self) -> Value
        ) -> [Key: Value] {
            var map: [Key: Value] = [:]
            for _ in 0..<number(0..<3) { map[key(&self)] = value(&self) }
            return map
        }
        private mutating func named<Value>(_ value: (inout Self) -> Value) -> [Text: Value] {
            map({ $0.name() }, value)
        }

        mutating func state() -> ObjectState {
            var state = ObjectState(in: group(), since: clock())
            state.life = number(0..<4)
            state.seen = named { $0.clock() }
            state.deletedWith = Bool.random(using: &random) ? Cascade(key(), life: number(0..<4)) : nil
            state.properties = Registers(named { $0.register() })
            state.counters = named { any in
                any.map({ $0.device() }) { CounterPart(count: $0.number(0..<3), sum: $0.value()) }
            }
            state.maxima = named { $0.value() }
            state.minima = named { $0.value() }
            state.sets = named { any in any.map({ $0.value() }) { $0.number(0..<4) } }
            state.dictionaries = named { any in
                any.map({ $0.value() }) { DictionaryEntry(length: $0.number(0..<4), value: $0.register()) }
            }
            state.arrays = named { any in
                any.map({ ElementID($0.device(), $0.number(0..<2)) }) { any in
                    let place = Place([UInt8(any.number(1..<4))])
                    return ArrayElement(
                        length: any.number(0..<4), place: Register(place, any.clock()), value: any.register())
                }
            }
            state.formerGroups = Bool.random(using: &random) ? [group()] : []
            return state
        }

        mutating func batch(objects count: Int) -> Batch {
            var objects: [ObjectKey: ObjectState] = [:]
            for _ in 0..<count { objects[key()] = state() }
            return Batch(
                from: device(), in: group(), after: 3, last: 3 + number(1..<9), objects: objects,
                received: map({ $0.device() }) { $0.number(0..<9) }, members: [device(), device()],
                retired: [device()])
        }
    }
#endif
