/** A shop made with gRPC. */
package org.buftrail.apps.grpc;
