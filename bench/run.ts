console.log("npm run bench -- NAME");
