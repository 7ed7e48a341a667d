/// A form of a page.
package struct PageForm: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case hidden
            case line(hint: String)
            case area
            case choice([(value: String, label: String)])
            /// A checkbox with the text next to it.
            case check(String)

            package static func == (a: Kind, b: Kind) -> Bool {
                switch (a, b) {
                case (.hidden, .hidden), (.area, .area): true
                case (.line(let a), .line(let b)): a == b
                case (.check(let a), .check(let b)): a == b
                case (.choice(let a), .choice(let b)): a.map(\.value) == b.map(\.value)
                default: false
                }
            }
        }

        package let name: String
        package let label: String
        package let value: String
        package let kind: Kind
    }

    package enum Style: String, Sendable {
        /// Fields in lines, such as conditions.
        case rows
        /// One field with a button.
        case box
        /// A label and a field in each line.
        case editor
    }

    package let path: String
    package let style: Style
    /// Whether it changes the file.
    package let isPost: Bool
    package let rows: [[Field]]
    package let button: String
    /// Whether the button deletes.
    package let isDangerous: Bool

    init(
        _ path: String, _ style: Style, _ rows: [[Field]], button: String, isPost: Bool = false,
        isDangerous: Bool = false
    ) {
        self.path = path
        self.style = style
        self.isPost = isPost
        self.rows = rows
        self.button = button
        self.isDangerous = isDangerous
    }
}
