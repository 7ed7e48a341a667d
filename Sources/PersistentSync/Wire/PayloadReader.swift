/// Reads the content of a batch. Whatever the bytes are, it returns a batch whose numbers are within their limits, or
/// throws.
struct PayloadReader {
    private var input: ByteReader
    private let group: GroupID
    private var names: [Text] = []
    private let shared: SharedNames
    private var devices: [DeviceID] = []
    private var base: UInt64 = 0
    /// The clock that was read last.
    private var last: Clock?

    static func batch(
        _ bytes: ArraySlice<UInt8>, _ header: BatchHeader, memory: Int = WireFormat.largestMemory
    ) throws(SyncError) -> Batch {
        var reader = PayloadReader(input: ByteReader(bytes, memory: memory), group: header.group, shared: SharedNames())
        return try reader.readBatch(header)
    }

    /// An object alone.
    ///
    /// - Parameters:
    ///   - group: The group that the writer had.
    ///   - names: The writer's names.
    ///   - devices: The writer's devices.
    static func object(
        _ bytes: ArraySlice<UInt8>, in group: GroupID, _ names: [Text], _ devices: [DeviceID],
        sharing shared: SharedNames
    ) throws(SyncError) -> ObjectState {
        // The device has written it itself, so it may be as large as its objects.
        var reader = PayloadReader(input: ByteReader(bytes, memory: .max), group: group, shared: shared)
        (reader.names, reader.devices) = (names, devices)
        try reader.readBase()
        return try reader.readObject()
    }

    private init(input: ByteReader, group: GroupID, shared: SharedNames) {
        (self.input, self.group, self.shared) = (input, group, shared)
    }

    private mutating func readBatch(_ header: BatchHeader) throws(SyncError) -> Batch {
        for _ in 0..<(try input.readCount()) {
            names.append(Text(utf8: try input.readBlock(upTo: WireFormat.longestName)))
        }
        let count = try input.readCount(ofSize: 16)
        try input.charge(count * 16)
        for _ in 0..<count { devices.append(DeviceID(try input.readFixed())) }
        try readBase()
        var batch = Batch(from: header.device, in: header.group, after: header.after, last: header.last, objects: [:])
        batch.members = try readDevices()
        batch.retired = try readDevices()
        for _ in 0..<(try input.readCount(ofSize: 2)) {
            try input.charge(MemorySize.clock)
            let device = try readDevice()
            let number = try input.readNumber(upTo: WireFormat.greatestNumber, "a number")
            try check(batch.received.updateValue(number, forKey: device) == nil)
        }
        for _ in 0..<(try input.readCount(ofSize: 4)) {
            try input.charge(MemorySize.object)
            let key = try readKey()
            let object = try readPart { part throws(SyncError) in try part.readObject() }
            try check(batch.objects.updateValue(object, forKey: key) == nil)
        }
        guard input.remaining == 0 else { throw ByteReader.damaged("it is longer than its content") }
        return batch
    }

    private mutating func readBase() throws(SyncError) {
        base = try input.readNumber()
        guard base <= Clock.latest else { throw future() }
    }

    private func future() -> SyncError {
        SyncError(
            .fromTheFuture,
            "A clock of the batch is later than the year 2100. Nothing of it was applied. Set the clock of its device")
    }

    /// Each key is read once.
    private func check(_ isNew: Bool) throws(SyncError) {
        guard isNew else { throw ByteReader.damaged("a key is repeated") }
    }

    private mutating func readPart<R>(_ body: (inout PayloadReader) throws(SyncError) -> R) throws(SyncError) -> R {
        var reader = self
        let result = try input.readPart { (part) throws(SyncError) -> R in
            reader.input = part
            let result = try body(&reader)
            part = reader.input
            return result
        }
        return result
    }

    private mutating func readDevices() throws(SyncError) -> Set<DeviceID> {
        var list: Set<DeviceID> = []
        for _ in 0..<(try input.readCount()) {
            try input.charge(MemorySize.clock)
            try check(list.insert(try readDevice()).inserted)
        }
        return list
    }

    private mutating func readDevice() throws(SyncError) -> DeviceID {
        let index = try input.readNumber()
        guard index < UInt64(devices.count) else { throw ByteReader.damaged("a device is missing") }
        return devices[Int(index)]
    }

    private mutating func readNameIndex() throws(SyncError) -> Int {
        let index = try input.readNumber()
        guard index < UInt64(names.count) else { throw ByteReader.damaged("a name is missing") }
        return Int(index)
    }

    private mutating func readName() throws(SyncError) -> Text { names[try readNameIndex()] }

    private mutating func readClock() throws(SyncError) -> Clock {
        let difference = try input.readSigned()
        let (time, overflow) = Int64(base).addingReportingOverflow(difference)
        guard !overflow, time >= 0 else { throw ByteReader.damaged("a clock is negative") }
        guard UInt64(time) <= Clock.latest else { throw future() }
        let clock = Clock(UInt64(time), try readDevice())
        last = clock
        return clock
    }

    private mutating func readLength() throws(SyncError) -> Int64 {
        try input.readNumber(upTo: Life.longest, "a life")
    }

    private mutating func readKey() throws(SyncError) -> ObjectKey {
        let type = try readName()
        switch try input.readByte() {
        case 0: return ObjectKey(type, .uuid(try input.readFixed()))
        case 1: return ObjectKey(type, .text(Text(utf8: try input.readBlock())))
        default: throw ByteReader.damaged("a key has an unknown form")
        }
    }

    private mutating func readValue() throws(SyncError) -> SyncValue { try readValue(form: try input.readByte()) }

    private mutating func readValue(form byte: UInt8) throws(SyncError) -> SyncValue {
        guard let form = WireFormat.Form(rawValue: byte) else {
            throw ByteReader.damaged("a value has an unknown form")
        }
        switch form {
        case .null: return .null
        case .integer: return .integer(try input.readSigned())
        case .real: return .real(Double(bitPattern: try input.readFixed()))
        case .text: return .text(Text(utf8: try input.readBlock()))
        case .bytes: return .bytes(try input.readBlock())
        case .decimal: return .decimal(Text(utf8: try input.readBlock()))
        case .object: return .object(try readKey())
        case .blob:
            let hash = try input.readBlock(upTo: 32)
            guard hash.count == 32 else { throw ByteReader.damaged("a hash is too short") }
            return .blob(hash: hash, size: try input.readNumber(upTo: .max, "a size"))
        }
    }

    private mutating func readRegister() throws(SyncError) -> Register<SyncValue> {
        let byte = try input.readByte()
        let value = try readValue(form: byte & ~(WireFormat.sameClock | WireFormat.nextClock))
        guard byte >= WireFormat.nextClock else { return Register(value, try readClock()) }
        guard let last else { throw ByteReader.damaged("a clock is missing") }
        let clock = byte & WireFormat.sameClock != 0 ? last : last.next
        self.last = clock
        return Register(value, clock)
    }

    /// A count, then each key with its value.
    private mutating func readMap<Key: Hashable, Value>(
        size: Int = MemorySize.entry, _ key: (inout PayloadReader) throws(SyncError) -> Key,
        _ value: (inout PayloadReader) throws(SyncError) -> Value
    ) throws(SyncError) -> [Key: Value] {
        var map: [Key: Value] = [:]
        for _ in 0..<(try input.readCount(ofSize: 2)) {
            try input.charge(size)
            let key = try key(&self)
            try check(map.updateValue(try value(&self), forKey: key) == nil)
        }
        return map
    }

    private mutating func readNamed<Value>(
        size: Int = MemorySize.entry, _ value: (inout PayloadReader) throws(SyncError) -> Value
    ) throws(SyncError) -> [Text: Value] {
        try readMap(size: size, { reader throws(SyncError) in try reader.readName() }, value)
    }

    /// The properties. Objects with the same properties share their names.
    private mutating func readProperties() throws(SyncError) -> Registers {
        let count = try input.readCount(ofSize: 2)
        var (indices, registers): ([Int], [Register<SyncValue>]) = ([], [])
        registers.reserveCapacity(min(count, 32))
        indices.reserveCapacity(min(count, 32))
        for _ in 0..<count {
            try input.charge(MemorySize.entry)
            indices.append(try readNameIndex())
            registers.append(try readRegister())
        }
        if let keys = shared.sorted(indices, of: names) { return Registers(NamedValues(sorted: keys, registers)) }
        // The bytes of another program.
        var map: [Text: Register<SyncValue>] = [:]
        for (index, register) in zip(indices, registers) {
            try check(map.updateValue(register, forKey: names[index]) == nil)
        }
        return Registers(map)
    }

    private mutating func readObject() throws(SyncError) -> ObjectState {
        var object = ObjectState(in: group)
        var lastTag: UInt64 = 0
        while input.remaining > 0 {
            let tag = try input.readNumber()
            guard tag > lastTag else { throw ByteReader.damaged("the parts of an object are not in order") }
            lastTag = tag
            guard let part = WireFormat.Part(rawValue: tag) else {
                _ = try input.readBlock()
                continue
            }
            try readPart { reader throws(SyncError) in try reader.read(part, of: &object) }
            if part == .group { last = object.group.clock }
        }
        return object
    }

    private mutating func read(_ part: WireFormat.Part, of object: inout ObjectState) throws(SyncError) {
        func value(_ reader: inout PayloadReader) throws(SyncError) -> SyncValue { try reader.readValue() }
        switch part {
        case .life:
            object.life = try readLength()
            object.seen = try readNamed(size: MemorySize.clock) { reader throws(SyncError) in try reader.readClock() }
            let hasOwner = try input.readByte()
            guard hasOwner <= 1 else { throw ByteReader.damaged("a cascade has an unknown form") }
            if hasOwner == 1 {
                let owner = try readKey()
                object.deletedWith = Cascade(owner, life: try readLength())
            }
        case .group:
            let isElsewhere = try input.readByte()
            guard isElsewhere <= 1 else { throw ByteReader.damaged("a group has an unknown form") }
            let place = isElsewhere == 1 ? GroupID(try input.readFixed()) : group
            object.group = Register(place, try readClock())
            // An insertion into the object's set would copy the set.
            var former: Set<GroupID> = []
            for _ in 0..<(try input.readCount(ofSize: 16)) {
                try input.charge(MemorySize.clock)
                try check(former.insert(GroupID(try input.readFixed())).inserted)
            }
            object.formerGroups = former
        case .properties:
            object.properties = try readProperties()
        case .counters:
            object.counters = try readNamed { reader throws(SyncError) in
                try reader.readMap({ reader throws(SyncError) in try reader.readDevice() }) {
                    reader throws(SyncError) in
                    let count = try reader.input.readNumber(upTo: CounterPart.greatestCount, "a count")
                    return CounterPart(count: count, sum: try reader.readValue())
                }
            }
        case .maxima: object.maxima = try readNamed(value)
        case .minima: object.minima = try readNamed(value)
        case .sets:
            object.sets = try readNamed { reader throws(SyncError) in
                try reader.readMap(value) { reader throws(SyncError) in try reader.readLength() }
            }
        case .dictionaries:
            object.dictionaries = try readNamed { reader throws(SyncError) in
                try reader.readMap(value) { reader throws(SyncError) in
                    let length = try reader.readLength()
                    return DictionaryEntry(length: length, value: try reader.readRegister())
                }
            }
        case .arrays:
            object.arrays = try readNamed { reader throws(SyncError) in
                try reader.readMap({ reader throws(SyncError) in
                    let device = try reader.readDevice()
                    return ElementID(device, try reader.input.readNumber(upTo: WireFormat.greatestNumber, "an element"))
                }) { reader throws(SyncError) in try reader.readElement() }
            }
        }
    }

    private mutating func readElement() throws(SyncError) -> ArrayElement {
        let length = try readLength()
        let digits = try input.readBlock(upTo: WireFormat.longestPlace)
        guard let last = digits.last, last > 0 else { throw ByteReader.damaged("a place ends with zero") }
        let place = Register(Place(digits), try readClock())
        return ArrayElement(length: length, place: place, value: try readRegister())
    }
}
