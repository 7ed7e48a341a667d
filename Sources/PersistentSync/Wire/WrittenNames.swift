/// Different values, each with its place in a list.
struct Numbering<Value: Hashable> {
    private(set) var values: [Value] = []
    private var places: [Value: Int] = [:]
    private var last: (value: Value, place: Int)?

    init(_ values: [Value]) { for value in values { _ = place(of: value) } }

    /// The place of a value, which is added to the end of the list if it is new.
    mutating func place(of value: Value) -> Int {
        if let last, last.value == value { return last.place }
        let place = places[value] ?? values.count
        if place == values.count {
            values.append(value)
            places[value] = place
        }
        last = (value, place)
        return place
    }
}

/// The numbers that stand for the names and devices of written objects: their places in lists that the reader has, too.
final class WrittenNames {
    private(set) var names: Numbering<Text>
    private(set) var devices: Numbering<DeviceID>
    /// The names of the properties of the last object, and their places. Most objects have the same.
    private var keys: [Text] = []
    private var keyPlaces: [Int] = []

    init(_ names: [Text], _ devices: [DeviceID]) {
        self.names = Numbering(names)
        self.devices = Numbering(devices)
    }

    func place(of name: Text) -> Int { names.place(of: name) }
    func place(of device: DeviceID) -> Int { devices.place(of: device) }

    func places(of names: [Text]) -> [Int] {
        if names != keys { (keys, keyPlaces) = (names, names.map { place(of: $0) }) }
        return keyPlaces
    }
}
