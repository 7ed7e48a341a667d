#if Sync
    import PersistentObjects

    /// A row with ten properties on several devices.
    final class SharedRow: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = "", city = "", note = ""
        var first = 0, second = 0, third = 0, fourth = 0
        var factor = 0.0, share = 0.0
        var isDone = false

        convenience init(_ number: Int) {
            self.init()
            (name, city, note) = ("name \(number)", "city \(number % 100)", "a note of some words")
            (first, second, third, fourth) = (number, number % 7, number * 3, 5)
            (factor, share, isDone) = (Double(number) / 7, 0.5, number.isMultiple(of: 2))
        }
    }

    /// The same on one device.
    final class OwnRow: PersistentObject {
        override class var identity: Identity { .uuid }
        var name = "", city = "", note = ""
        var first = 0, second = 0, third = 0, fourth = 0
        var factor = 0.0, share = 0.0
        var isDone = false

        convenience init(_ number: Int) {
            self.init()
            (name, city, note) = ("name \(number)", "city \(number % 100)", "a note of some words")
            (first, second, third, fourth) = (number, number % 7, number * 3, 5)
            (factor, share, isDone) = (Double(number) / 7, 0.5, number.isMultiple(of: 2))
        }
    }
#endif
