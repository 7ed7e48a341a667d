/// What the objects of a batch refer to by numbers.
struct BatchContent {
    private(set) var names: Set<Text> = []
    private(set) var devices: Set<DeviceID> = []
    /// The time of the first clock.
    private(set) var firstTime: UInt64?
    // Most objects have the same properties and clocks of one device.
    private var lastDevice: DeviceID?
    private var lastProperties: [Text] = []

    mutating func add(_ batch: Batch) {
        devices.formUnion(batch.members)
        devices.formUnion(batch.retired)
        devices.formUnion(batch.received.keys)
        for (key, object) in batch.objects {
            names.insert(key.type)
            add(object)
        }
    }

    private mutating func add(_ object: ObjectState) {
        if object.properties.keys != lastProperties {
            lastProperties = object.properties.keys
            names.formUnion(lastProperties)
        }
        if object.properties.containObject { object.properties.values.forEach { add($0.value) } }
        object.forEachClock { clock in
            if clock.device != lastDevice {
                devices.insert(clock.device)
                lastDevice = clock.device
            }
            if clock.time > 0 { firstTime = min(firstTime ?? clock.time, clock.time) }
        }
        guard object.hasRareParts else { return }
        names.formUnion(object.seen.keys)
        names.formUnion(object.counters.keys)
        names.formUnion(object.maxima.keys)
        names.formUnion(object.minima.keys)
        names.formUnion(object.sets.keys)
        names.formUnion(object.dictionaries.keys)
        names.formUnion(object.arrays.keys)
        if let cascade = object.deletedWith { names.insert(cascade.owner.type) }
        for value in object.maxima.values { add(value) }
        for value in object.minima.values { add(value) }
        for value in object.sets.values.lazy.flatMap(\.keys) { add(value) }
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

    private mutating func add(_ value: SyncValue) { if case .object(let key) = value { names.insert(key.type) } }
}
