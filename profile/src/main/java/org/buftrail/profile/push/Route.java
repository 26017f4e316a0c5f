package org.buftrail.profile.push;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The way to a receiver: directly or through the proxy that the JVM is configured with, and TLS
 * where the URL says so.
 *
 * <p>TLS has a context of its own. The JVM's default one is made once, of the system properties of
 * that moment, and an application may set these in its {@code main}.
 */
final class Route {
  private static final int HTTPS = 443;
  private static final int HTTP = 80;

  private final URL url;
  private final Proxy proxy;

  private Route(URL url, Proxy proxy) {
    this.url = url;
    this.proxy = proxy;
  }

  /** The way to a URL. */
  static Route to(URL url) throws IOException {
    try {
      // A proxy need not see path and query, which may hold a key.
      URI uri = new URI(url.getProtocol(), null, url.getHost(), url.getPort(), "/", null, null);
      ProxySelector selector = ProxySelector.getDefault();
      List<Proxy> proxies = selector == null ? List.of() : selector.select(uri);
      return new Route(url, proxies == null || proxies.isEmpty() ? Proxy.NO_PROXY : proxies.get(0));
    } catch (URISyntaxException e) {
      throw new IOException("the address cannot be used", e);
    }
  }

  private boolean isTls() {
    return url.getProtocol().equals("https");
  }

  private boolean isHttpProxy() {
    return proxy.type() == Proxy.Type.HTTP;
  }

  private int port() {
    return url.getPort() > 0 ? url.getPort() : isTls() ? HTTPS : HTTP;
  }

  /** Host and port, as the {@code Host} header has them. */
  String authority() {
    return url.getPort() > 0 ? url.getHost() + ':' + url.getPort() : url.getHost();
  }

  /** The target in the first line of a request. */
  String requestTarget() {
    String file = url.getFile().isEmpty() ? "/" : url.getFile();
    return isHttpProxy() && !isTls() ? "http://" + authority() + file : file;
  }

  /** A socket that is not connected. */
  Socket socket() {
    return proxy.type() == Proxy.Type.SOCKS ? new Socket(proxy) : new Socket(Proxy.NO_PROXY);
  }

  /**
   * Connects a socket of {@link #socket}, and secures it where the URL says so.
   *
   * @return the socket to talk through
   */
  Socket connect(Socket socket, int timeoutMillis) throws IOException {
    socket.connect(address(), timeoutMillis);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(timeoutMillis);
    if (!isTls()) {
      return socket;
    }
    if (isHttpProxy()) {
      askForTunnel(socket);
    }
    return secured(socket);
  }

  private SocketAddress address() throws IOException {
    SocketAddress through = proxy.address();
    if (proxy.type() == Proxy.Type.SOCKS) {
      return InetSocketAddress.createUnresolved(url.getHost(), port());
    }
    InetSocketAddress address;
    if (isHttpProxy() && through instanceof InetSocketAddress) {
      InetSocketAddress named = (InetSocketAddress) through;
      address = new InetSocketAddress(named.getHostString(), named.getPort());
    } else {
      address = new InetSocketAddress(host(), port());
    }
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    return address;
  }

  /** Without the brackets of an IPv6 address. */
  private String host() {
    String host = url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private void askForTunnel(Socket socket) throws IOException {
    String at = url.getHost() + ':' + port();
    String request = "CONNECT " + at + " HTTP/1.1\r\nHost: " + at + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    // Not buffered: what is behind the answer is TLS.
    int status = Answer.read(socket.getInputStream()).status();
    if (status > 299) {
      throw new IOException("the proxy refuses with status " + status);
    }
  }

  private Socket secured(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket) context().getSocketFactory().createSocket(socket, host(), port(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  private static SSLContext context() throws SSLException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new SSLException(e.getMessage(), e);
    }
  }

  /** The keys that the JVM presents itself with, or null. */
  private static KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
    String file = System.getProperty("javax.net.ssl.keyStore", "");
    if (file.isEmpty() || file.equals("NONE")) {
      return null;
    }
    String type = System.getProperty("javax.net.ssl.keyStoreType", KeyStore.getDefaultType());
    char[] password = System.getProperty("javax.net.ssl.keyStorePassword", "").toCharArray();
    KeyStore store = KeyStore.getInstance(type);
    try (InputStream in = new BufferedInputStream(new FileInputStream(file))) {
      store.load(in, password);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    return factory.getKeyManagers();
  }
}
