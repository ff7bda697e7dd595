"""Texels into Y-major tiles and a bilinear sample of them: python3 simulator.py libtexwire_capi.so texwire.h (needs cffi)."""
import re, struct, subprocess, sys
from cffi import FFI

GEN11, TYPE_2D, R8_UNORM, Y_MAJOR, LINEAR = 1, 1, 0x140, 3, 1
ffi = FFI()
plain = re.sub(r'#include.*', '', open(sys.argv[2]).read())
ffi.cdef(subprocess.run(['cc', '-E', '-P', '-std=c11', '-'], input=plain, capture_output=True, text=True, check=True).stdout)
texwire, error = ffi.dlopen(sys.argv[1]), ffi.new('texwire_error *')

def call(function, *arguments):
    if function(*arguments, error):
        text = ffi.new('char[256]')
        texwire.texwire_error_text(error, text, 256)
        raise RuntimeError(ffi.string(text).decode())

def op(wanted, name=ffi.new('char[32]')):
    return next(n for n in range(99) if texwire.texwire_op_name(n, name, 32) and ffi.string(name).decode() == wanted)

surface, sampler = ffi.new('uint32_t[16]'), ffi.new('uint32_t[4]', [LINEAR << 14 | LINEAR << 17])
what = dict(surface_type=TYPE_2D, format=R8_UNORM, width=2, height=1, tile_mode=Y_MAJOR)
call(texwire.texwire_surface_make, ffi.new('texwire_surface_description *', what), GEN11, surface)
texels = ffi.new('uint8_t[4096]')
memory = ffi.new('texwire_memory *', dict(bytes=texels, size=4096))
call(texwire.texwire_upload, surface, GEN11, ffi.new('texwire_region *'), bytes([0, 255]), 2, 2, memory)
device, storage = ffi.new('texwire_device **'), ffi.new('uint64_t[]', texwire.texwire_device_size() // 8 + 1)
call(texwire.texwire_device_init, storage, ffi.sizeof(storage), GEN11, ffi.new('texwire_heaps *'), device)
message, result = ffi.new('texwire_message *'), ffi.new('uint8_t[128]')
call(texwire.texwire_message_init, message, op('sample_lz'))
message.params, u = 1, struct.pack('<8f', *[0.25 + lane / 16 for lane in range(8)])
call(texwire.texwire_device_execute, device[0], message, surface, sampler, ffi.NULL, u, 32, 32, memory, result, 128, ffi.NULL)
print(*struct.unpack('<8f', bytes(result)[:32]))
