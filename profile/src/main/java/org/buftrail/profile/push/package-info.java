/** Sends OTLP profiles over HTTP to one receiver. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.push;
