@echo off
rem Starts Buftrail's command line; needs Java 17 or later.
setlocal
set "root=%~dp0.."
if defined JAVA_HOME (
  set "java=%JAVA_HOME%\bin\java.exe"
) else (
  set "java=java.exe"
)
set "jar=%root%\lib\buftrail.jar"
if "%~1"=="demo" set "jar=%root%\lib\buftrail-demo.jar"
set "quick=-XX:TieredStopAtLevel=1 -XX:-UsePerfData -XX:+UseSerialGC"
rem This one stays.
if "%~1"=="watch" set "quick="
rem DuckDB is native code.
if "%~1"=="sql" set "quick=%quick% --enable-native-access=ALL-UNNAMED"
if "%~1"=="watch" set "quick=--enable-native-access=ALL-UNNAMED"
if "%~1"=="convert" set "quick=%quick% --enable-native-access=ALL-UNNAMED"
"%java%" %quick% %JAVA_OPTS% "-Dbuftrail.launcher=buftrail" -jar "%jar%" %*
exit /b %ERRORLEVEL%
