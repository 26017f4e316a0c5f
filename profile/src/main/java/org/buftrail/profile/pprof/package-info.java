/** Profiles in the format of pprof, {@code perftools.profiles} of {@code profile.proto}. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.pprof;
