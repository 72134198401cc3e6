# GPU kernels: UNIT.cu is compiled to a fat binary (device code only) and embedded together with the
# texts of all .cuh files, from which the run-time compiler makes tuned variants.
function(tessera_embed_kernels target)
endfunction()
