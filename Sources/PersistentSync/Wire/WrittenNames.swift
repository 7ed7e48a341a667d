/// The numbers that stand for the names and devices of written objects: their places in lists that the reader has, too.
final class WrittenNames {
    private(set) var names: Interned<Text>
    private(set) var devices: Interned<DeviceID>
    /// The names of the properties of the last object, and their places. Most objects have the same.
    private var keys: [Text] = []
    private var keyPlaces: [Int] = []

    init(_ names: [Text], _ devices: [DeviceID]) {
        self.names = Interned(names)
        self.devices = Interned(devices)
    }

    func place(of name: Text) -> Int { Int(names.index(of: name)) }
    func place(of device: DeviceID) -> Int { Int(devices.index(of: device)) }

    func places(of names: [Text]) -> [Int] {
        if names != keys { (keys, keyPlaces) = (names, names.map { place(of: $0) }) }
        return keyPlaces
    }
}
