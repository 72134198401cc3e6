# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it packs: where Debian's rules differ from those of `cmake --install`.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)

# Debian's zsh has a separate folder for the completion of packages.
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)

# The text of the licence is on every Debian system: the copyright file points there.
file(REMOVE ${share}/doc/tessera/LICENSE)
configure_file(${CPACK_TESSERA_COPYRIGHT} ${share}/doc/tessera/copyright COPYONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

file(RENAME ${share}/doc/tessera/CHANGELOG.md ${share}/doc/tessera/changelog)
file(GLOB texts ${share}/man/man1/*.1 ${share}/doc/tessera/changelog)
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)

# Independent of the umask of this process.
file(CHMOD_RECURSE ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE
     OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
