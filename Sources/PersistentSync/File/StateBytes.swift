/// The state of one object as the file stores it: the content of a batch with this object alone.
enum StateBytes {
    private static let device = DeviceID(0)
    private static let group = GroupID(0)
    private static let header = BatchHeader(group: group, epoch: 0, device: device, after: 0, last: 0, previous: [])

    static func bytes(of state: ObjectState, _ key: ObjectKey, sharing names: inout WrittenNames?) -> [UInt8] {
        PayloadWriter.bytes(
            of: Batch(from: device, in: group, after: 0, last: 0, objects: [key: state]), sharing: &names)
    }

    /// - Throws: `SyncError` if another program has changed the bytes.
    static func state(
        _ bytes: [UInt8], of key: ObjectKey, sharing names: SharedNames
    ) throws(SyncError) -> ObjectState {
        // The device has written them itself, so they may be as large as its objects.
        let batch = try PayloadReader.batch(bytes[...], header, memory: .max, sharing: names)
        guard let state = batch.objects[key] else {
            throw SyncError(.damagedBatch, "What the file knows of \(key) is damaged. Reset the device")
        }
        return state
    }
}
