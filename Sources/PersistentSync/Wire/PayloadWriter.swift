/// Writes the content of a batch. Everything is sorted, so that equal batches have equal bytes.
struct PayloadWriter {
    private var output = ByteWriter()
    private let names: WrittenNames
    private let base: UInt64
    private let group: GroupID
    /// The clock that was written last.
    private var last: Clock?

    static func bytes(of batch: Batch) -> [UInt8] {
        var content = BatchContent()
        content.add(batch)
        let names = WrittenNames(content.names.sorted(), content.devices.sorted())
        var writer = PayloadWriter(names: names, base: content.firstTime ?? 0, group: batch.group)
        writer.write(batch)
        return writer.output.bytes
    }

    /// An object alone, for a reader with the same names.
    ///
    /// - Parameter group: The group in which most objects are.
    static func bytes(of object: ObjectState, in group: GroupID, _ names: WrittenNames) -> [UInt8] {
        var writer = PayloadWriter(names: names, base: object.group.clock.time, group: group)
        writer.output.writeNumber(writer.base)
        writer.write(object)
        return writer.output.bytes
    }

    private init(names: WrittenNames, base: UInt64, group: GroupID) {
        (self.names, self.base, self.group) = (names, base, group)
    }

    private mutating func write(_ batch: Batch) {
        output.writeCount(names.names.values.count)
        for name in names.names.values { output.writeBlock(name.utf8) }
        output.writeCount(names.devices.values.count)
        for device in names.devices.values { output.writeFixed(device.number) }
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

    private mutating func write(_ name: Text) { output.writeCount(names.place(of: name)) }
    private mutating func write(_ device: DeviceID) { output.writeCount(names.place(of: device)) }

    private mutating func write(_ clock: Clock) {
        last = clock
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

    /// - Parameter mark: Added to the byte of its form.
    private mutating func write(_ value: SyncValue, mark: UInt8 = 0) {
        func form(_ form: WireFormat.Form) { output.write([form.rawValue | mark]) }
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
        last = object.group.clock
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
        let clock = register.clock
        let mark =
            clock == last ? WireFormat.sameClock : last.map { clock == $0.next } == true ? WireFormat.nextClock : 0
        write(register.value, mark: mark)
        if mark == 0 { write(clock) }
        last = clock
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
