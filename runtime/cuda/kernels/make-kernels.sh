#!/bin/sh
# Compiles a .cu file to the PTX that is checked in beside it: make-kernels.sh copy.cu
# The PTX version is set back to the oldest that has what these kernels use, because a driver refuses PTX that is newer
# than itself; ptxas then checks the result for the architectures it knows.
set -e
source=$1
out=${source%.cu}.ptx
case $source in
block.cu) version=7.6 ;; # CUB's sort of a block makes masks by an instruction of that version
*) version=6.4 ;;
esac
case $source in
words.cu | reject.cu | numbers.cu | walks.cu) rounding=-fmad=false ;; # as the host's compiler rounds: each operation by itself
*) rounding= ;;
esac
case $source in
teams.cu) functions=-rdc=true only=-c ;; # no kernels, but functions for those of others
*) functions= only= ;;
esac
nvcc -std=c++17 -O3 $rounding $functions -ptx -arch=compute_75 -I "$(dirname "$(dirname "$(command -v nvcc)")")/include/cccl" -o "$out.new" "$source"
sed -e "s/^\.version .*/.version $version/" -e 's/^\.target .*/.target sm_70/' -e '/^\/\//d' -e '/used_bytes_mask/d' "$out.new" > "$out"
rm "$out.new"
for arch in sm_75 sm_80 sm_90; do
  ptxas $only -arch=$arch -o /dev/null "$out"
done
