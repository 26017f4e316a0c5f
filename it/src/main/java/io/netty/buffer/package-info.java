/** Classes of the programs that must lie in Netty's package. */
package io.netty.buffer;
