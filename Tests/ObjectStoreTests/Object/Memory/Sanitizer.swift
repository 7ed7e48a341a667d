#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether the tests run under a sanitizer: some take smaller numbers then.
enum Sanitizer {
    static let isAddress = has("__asan_init")
    static let isThread = has("__tsan_init")
    static var isActive: Bool { isAddress || isThread }

    private static func has(_ symbol: String) -> Bool {
        let program = dlopen(nil, RTLD_LAZY)
        defer { if let program { dlclose(program) } }
        return dlsym(program, symbol) != nil
    }
}
