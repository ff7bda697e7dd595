# shellcheck shell=bash disable=SC2034 # who sources it uses the variables
# Sourced: sets CARGO and BUILD_STD to a toolchain that can build for TARGET: rustup's with the target
# installed, else Debian's (rustc-web, rust-web-src), which builds `core` from its sources.
texwire_toolchain() {
    local target=$1 sysroot
    sysroot=$(rustc --print sysroot 2>/dev/null || true)
    if [[ -z ${TEXWIRE_DEBIAN:-} && -d $sysroot/lib/rustlib/$target/lib ]]; then
        CARGO=(cargo)
        BUILD_STD=()
        return 0
    fi
    if [[ -x /usr/bin/cargo && -d /usr/lib/rustlib/src/rust/library/core ]]; then
        # Not where the other toolchain builds.
        export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/bare}
        CARGO=(env PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 /usr/bin/cargo)
        BUILD_STD=(-Zbuild-std=core
            --config "target.$target.linker=\"ld.lld\"")
        return 0
    fi
    echo "error: no toolchain at $target: rustup target add $target, or apt install rustc-web cargo-web rust-web-src lld" >&2
    return 2
}
