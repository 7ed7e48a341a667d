/// The program's own errors, each with a one-line message for the user.
enum AtlasError: Error, Equatable {
    case unknownOption(String)
    case unexpectedArgument(String)
    case missingValue(option: String, meaning: String)
    case repeatedOption(String)
    case missingFolder(String)
    case missingFile(String, folder: String)
    case unreadableFile(String, reason: String)
    case badData(file: String, place: String?, problem: String)
    case incompleteStore(String, held: Census, expected: Census)
    case outputFailed(reason: String)
}

extension AtlasError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownOption(let option):
            "unknown option \(option); see atlas --help"
        case .unexpectedArgument(let argument):
            "unexpected argument \(argument.isEmpty ? "\"\"" : argument); see atlas --help"
        case .missingValue(let option, let meaning):
            "\(option) needs \(meaning) after it; see atlas --help"
        case .repeatedOption(let option):
            "\(option) is given twice"
        case .missingFolder(let folder):
            "the data folder \(folder) does not exist"
        case .missingFile(let file, let folder):
            "the data folder \(folder) has no \(file)"
        case .unreadableFile(let file, let reason):
            "\(file) cannot be read: \(reason)"
        case .badData(let file, let place, let problem):
            [file, place, problem].compactMap { $0 }.joined(separator: ": ")
        case .incompleteStore(let path, let held, let expected):
            "\(path) contains only a part of the data, \(held.compared(to: expected)). If no import is running, "
                + "delete the file or specify another --store"
        case .outputFailed(let reason):
            "the output cannot be written: \(reason)"
        }
    }
}
