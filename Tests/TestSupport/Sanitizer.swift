#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Whether the tests run under a sanitizer: some use smaller numbers then.
public enum Sanitizer {
    /// Whether it is AddressSanitizer.
    public static let isAddress = has("__asan_init")
    /// Whether it is ThreadSanitizer.
    public static let isThread = has("__tsan_init")
    /// Whether it is any of them.
    public static var isActive: Bool { isAddress || isThread }

    private static func has(_ symbol: String) -> Bool {
        let program = dlopen(nil, RTLD_LAZY)
        defer { if let program { dlclose(program) } }
        return dlsym(program, symbol) != nil
    }
}
