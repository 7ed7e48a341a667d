// The values and errors of the engine are part of the public interface; nothing else of it is public.
@_exported public import StoreEngine
