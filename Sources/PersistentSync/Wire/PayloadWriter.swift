/// Writes the content of a batch. Everything is sorted, so that equal batches have equal bytes.
struct PayloadWriter {
    private var output = ByteWriter()
    private let names: WrittenNames
    private let devices: [DeviceID: Int]
    private let base: UInt64
    private let group: GroupID

    static func bytes(of batch: Batch) -> [UInt8] {
        var names: WrittenNames?
        return bytes(of: batch, sharing: &names)
    }

    /// - Parameter names: The names of the content that was written before; replaced by those of this one.
    static func bytes(of batch: Batch, sharing names: inout WrittenNames?) -> [UInt8] {
        var writer = PayloadWriter(batch, names)
        names = writer.names
        writer.write(batch)
        return writer.output.bytes
    }

    private init(_ batch: Batch, _ known: WrittenNames?) {
        let object = batch.objects.count == 1 ? batch.objects.first : nil
        let isKnown = object.flatMap { known?.areNames(of: $0) } ?? false
        var names: Set<Text> = []
        var devices = batch.members.union(batch.retired).union(batch.received.keys)
        var base = UInt64.max
        // Most objects have the same properties and clocks of one device.
        var (last, properties): (DeviceID?, [Text]) = (nil, [])
        func add(_ value: SyncValue) { if case .object(let key) = value { names.insert(key.type) } }
        for (key, object) in batch.objects {
            if !isKnown {
                names.insert(key.type)
                if object.properties.keys != properties {
                    properties = object.properties.keys
                    names.formUnion(properties)
                }
                object.properties.values.forEach { add($0.value) }
            }
            object.forEachClock { clock in
                if clock.device != last {
                    devices.insert(clock.device)
                    last = clock.device
                }
                if clock.time > 0 { base = min(base, clock.time) }
            }
            guard object.hasRareParts else { continue }
            names.formUnion(object.seen.keys)
            names.formUnion(object.counters.keys)
            names.formUnion(object.maxima.keys)
            names.formUnion(object.minima.keys)
            names.formUnion(object.sets.keys)
            names.formUnion(object.dictionaries.keys)
            names.formUnion(object.arrays.keys)
            if let cascade = object.deletedWith { names.insert(cascade.owner.type) }
            object.maxima.values.forEach(add)
            object.minima.values.forEach(add)
            object.sets.values.forEach { $0.keys.forEach(add) }
            for entry in object.dictionaries.values.joined() {
                add(entry.key)
                add(entry.value.value.value)
            }
            for (id, element) in object.arrays.values.joined() {
                devices.insert(id.device)
                add(element.value.value)
            }
            for (device, part) in object.counters.values.joined() {
                devices.insert(device)
                add(part.sum)
            }
        }
        if isKnown, let known {
            self.names = known
        } else {
            self.names = WrittenNames(names, keys: properties, of: object)
        }
        self.devices = Dictionary(uniqueKeysWithValues: devices.sorted().enumerated().map { ($1, $0) })
        self.base = base == .max ? 0 : base
        group = batch.group
    }

    private mutating func write(_ batch: Batch) {
        output.writeCount(names.sorted.count)
        for name in names.sorted { output.writeBlock(name.utf8) }
        output.writeCount(devices.count)
        for device in devices.keys.sorted() { output.writeFixed(device.number) }
        output.writeNumber(base)
        write(batch.members)
        write(batch.retired)
        output.writeCount(batch.received.count)
        for (device, number) in batch.received.sorted(by: { $0.key < $1.key }) {
            write(device)
            output.writeNumber(UInt64(number))
        }
        output.writeCount(batch.objects.count)
        for (key, object) in batch.objects.sorted(by: { $0.key < $1.key }) {
            write(key)
            writePart { $0.write(object) }
        }
    }

    private mutating func write(_ list: Set<DeviceID>) {
        output.writeCount(list.count)
        for device in list.sorted() { write(device) }
    }

    private mutating func write(_ name: Text) { output.writeCount(names[name]) }
    private mutating func write(_ device: DeviceID) { output.writeCount(devices[device] ?? 0) }

    private mutating func write(_ clock: Clock) {
        output.writeSigned(Int64(clock.time) - Int64(base))
        write(clock.device)
    }

    private mutating func write(_ key: ObjectKey) {
        write(key.type)
        switch key.key {
        case .number(let high, let low):
            output.write([0])
            output.writeFixed(high)
            output.writeFixed(low)
        case .text(let text):
            output.write([1])
            output.writeBlock(text.utf8)
        }
    }

    private mutating func write(_ value: SyncValue) {
        func form(_ form: WireFormat.Form) { output.write([form.rawValue]) }
        switch value {
        case .null: form(.null)
        case .integer(let number):
            form(.integer)
            output.writeSigned(number)
        case .real(let number):
            form(.real)
            output.writeFixed(number.bitPattern)
        case .text(let text):
            form(.text)
            output.writeBlock(text.utf8)
        case .bytes(let bytes):
            form(.bytes)
            output.writeBlock(bytes)
        case .decimal(let text):
            form(.decimal)
            output.writeBlock(text.utf8)
        case .object(let key):
            form(.object)
            write(key)
        case .blob(let hash, let size):
            form(.blob)
            output.writeBlock(hash)
            output.writeNumber(UInt64(size))
        }
    }

    /// Writes a part after its length.
    private mutating func writePart(_ body: (inout PayloadWriter) -> Void) {
        var part = self
        part.output = ByteWriter()
        body(&part)
        output.writeBlock(part.output.bytes)
    }

    private mutating func writePart(
        _ tag: WireFormat.Part, if isPresent: Bool, _ body: (inout PayloadWriter) -> Void
    ) {
        guard isPresent else { return }
        output.writeNumber(tag.rawValue)
        writePart(body)
    }

    /// A count, then each name with its value.
    private mutating func write<Value>(
        _ values: [Text: Value], _ body: (inout PayloadWriter, Value) -> Void
    ) {
        output.writeCount(values.count)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            write(name)
            body(&self, value)
        }
    }

    private mutating func write(_ object: ObjectState) {
        writePart(.life, if: object.life > 0 || !object.seen.isEmpty || object.deletedWith != nil) { part in
            part.output.writeNumber(UInt64(object.life))
            part.write(object.seen) { $0.write($1) }
            part.output.write([object.deletedWith == nil ? 0 : 1])
            if let cascade = object.deletedWith {
                part.write(cascade.owner)
                part.output.writeNumber(UInt64(cascade.life))
            }
        }
        writePart(.group, if: true) { part in
            part.output.write([object.group.value == part.group ? 0 : 1])
            if object.group.value != part.group { part.output.writeFixed(object.group.value.number) }
            part.write(object.group.clock)
            part.output.writeCount(object.formerGroups.count)
            for group in object.formerGroups.sorted() { part.output.writeFixed(group.number) }
        }
        writePart(.properties, if: !object.properties.isEmpty) { part in
            part.output.writeCount(object.properties.count)
            for (place, register) in zip(part.names.places(of: object.properties.keys), object.properties.values) {
                part.output.writeCount(place)
                part.write(register)
            }
        }
        guard object.hasRareParts else { return }
        writePart(.counters, if: !object.counters.isEmpty) { part in
            part.write(object.counters) { part, devices in
                part.output.writeCount(devices.count)
                for (device, counted) in devices.sorted(by: { $0.key < $1.key }) {
                    part.write(device)
                    part.output.writeNumber(UInt64(counted.count))
                    part.write(counted.sum)
                }
            }
        }
        writePart(.maxima, if: !object.maxima.isEmpty) { part in part.write(object.maxima) { $0.write($1) } }
        writePart(.minima, if: !object.minima.isEmpty) { part in part.write(object.minima) { $0.write($1) } }
        writeCollections(object)
    }

    private mutating func write(_ register: Register<SyncValue>) {
        write(register.value)
        write(register.clock)
    }

    private mutating func writeCollections(_ object: ObjectState) {
        writePart(.sets, if: !object.sets.isEmpty) { part in
            part.write(object.sets) { part, elements in
                part.output.writeCount(elements.count)
                for (element, length) in elements.sorted(by: { $0.key < $1.key }) {
                    part.write(element)
                    part.output.writeNumber(UInt64(length))
                }
            }
        }
        writePart(.dictionaries, if: !object.dictionaries.isEmpty) { part in
            part.write(object.dictionaries) { part, entries in
                part.output.writeCount(entries.count)
                for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                    part.write(key)
                    part.output.writeNumber(UInt64(entry.length))
                    part.write(entry.value)
                }
            }
        }
        writePart(.arrays, if: !object.arrays.isEmpty) { part in
            part.write(object.arrays) { part, elements in
                part.output.writeCount(elements.count)
                for (id, element) in elements.sorted(by: { $0.key < $1.key }) {
                    part.write(id.device)
                    part.output.writeNumber(UInt64(id.number))
                    part.output.writeNumber(UInt64(element.length))
                    part.output.writeBlock(element.place.value.digits)
                    part.write(element.place.clock)
                    part.write(element.value)
                }
            }
        }
    }
}
