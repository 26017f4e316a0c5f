/** Questions of the command line, over the attach socket of the JVM: nothing listens for them. */
package org.buftrail.agent.ask;
