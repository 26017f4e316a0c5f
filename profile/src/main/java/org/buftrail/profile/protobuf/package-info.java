/** The protobuf wire format: an encoder and a defensive decoder. */
@org.jspecify.annotations.NullMarked
package org.buftrail.profile.protobuf;
