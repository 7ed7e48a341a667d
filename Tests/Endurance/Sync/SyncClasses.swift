#if Sync
    import PersistentObjects

    /// What all devices edit: a property of each kind that is merged in another way.
    final class Folio: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        @Indexed var title = ""
        /// Written by all processes, so only its equality is checked.
        var text = ""
        /// Written only by the process that made the sheet, in increasing order.
        var serial = 0
        var words: Set<String> = []
        var numbers: [Int] = []
        @Merged(.counter) var stars = 0
        @Inverse(\Remark.sheet, onDelete: .cascade) var remarks: [Remark]
    }

    /// Belongs to a sheet, and follows it into its group.
    final class Remark: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var text = ""
        var sheet: Folio?
    }
#endif
